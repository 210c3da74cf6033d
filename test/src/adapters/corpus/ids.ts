import { z } from 'zod';
import type { Call, Entry } from './entry.ts';

const read = (id: string, n: number): Call => ({ id, tool: 'read', arguments: { n } });
const write = (id: string, n: number): Call => ({ id, tool: 'write', arguments: { n } });

/** Each call has a number, and its result as well. */
const numbered = {
  kind: 'id',
  input: z.object({ n: z.number() }),
  returns: ({ n }: Readonly<Record<string, unknown>>) => ({ n }),
} as const;

const same = (id: string): Pick<Entry, 'turns' | 'expects'> => ({
  turns: [[read(id, 1)], [write(id, 2)]],
  expects: { results: [{ n: 1 }, { n: 2 }] },
});

const sdkRefuses = { 'OpenAI Agents SDK': 'its SDK refuses an id that comes again' } as const;

export const ids: readonly Entry[] = [
  {
    ...numbered,
    id: 'one-id',
    says: 'One id for every call of a conversation',
    address: 'https://github.com/NousResearch/hermes-agent/issues/70724',
    turns: [[read('ZsSt4SkI', 1)], [read('ZsSt4SkI', 2)], [write('ZsSt4SkI', 3)]],
    expects: { results: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    not: sdkRefuses,
  },
  {
    ...numbered,
    id: 'one-id-writes',
    says: 'One id for two writes, one after the other',
    address: 'https://github.com/can1357/oh-my-pi/issues/2055',
    turns: [[write('call_0', 1)], [write('call_0', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
    not: sdkRefuses,
  },
  {
    ...numbered,
    id: 'one-id-parallel',
    says: 'One id for two calls of one turn',
    address: 'https://github.com/xorbitsai/inference/issues/4237',
    turns: [[write('call_f0de', 1), write('call_f0de', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
    not: sdkRefuses,
  },
  {
    ...numbered,
    id: 'turn-scoped',
    says: 'Ids that begin anew in each turn',
    address: 'https://github.com/fw-ai/fireconnect/issues/16',
    turns: [
      [read('list_dir:0', 1), read('list_dir:1', 2)],
      [read('list_dir:0', 3)],
      [write('list_dir:0', 4)],
    ],
    expects: { results: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] },
    not: sdkRefuses,
  },
  {
    ...numbered,
    id: 'name-as-id',
    says: 'The name of the tool as its id',
    address: 'https://github.com/tetsuo-ai/agenc-core/issues/417',
    ...same('system.bash'),
    not: sdkRefuses,
  },
  {
    ...numbered,
    id: 'empty-id',
    says: 'An empty id',
    address: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/830',
    ...same(''),
    not: { 'OpenAI Agents SDK': 'its SDK refuses an empty id' },
    notYet: { LangChain: 'the model reads that its write was not made again' },
  },
  {
    ...numbered,
    id: 'numeric-ids',
    says: 'Ids that are numbers',
    address: 'https://github.com/anomalyco/opencode/pull/44051',
    turns: [[read('0', 1)], [read('1', 2)], [write('2', 3)]],
    expects: { results: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  },
  {
    ...numbered,
    id: 'short-ids',
    says: 'Ids of nine letters',
    address: 'https://github.com/editor-code-assistant/eca/issues/233',
    turns: [[read('LWy3uasib', 1)], [write('LWy3uasic', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
  },
  {
    ...numbered,
    id: 'long-ids',
    says: 'Ids of 116 letters',
    address: 'https://github.com/AnswerDotAI/fastllm/issues/45',
    turns: [[read('a'.repeat(116), 1)], [write('b'.repeat(116), 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
  },
  {
    ...numbered,
    id: 'very-long-ids',
    says: 'Ids of 1,000 letters that differ in the last one',
    address: 'https://github.com/NousResearch/hermes-agent/issues/73492',
    turns: [[read(`${'a'.repeat(999)}1`, 1)], [write(`${'a'.repeat(999)}2`, 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
  },
  {
    ...numbered,
    id: 'unicode-ids',
    says: 'Ids in Chinese, with an emoji',
    address: 'https://github.com/huggingface/smolagents/issues/2768',
    turns: [[read('调用 1 👍', 1)], [write('调用 2 👍', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
  },
  {
    ...numbered,
    id: 'proto-ids',
    says: 'Ids that every object has as a name',
    address: 'https://github.com/yargs/yargs-parser/issues/530',
    turns: [[read('__proto__', 1)], [write('constructor', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
    not: { 'OpenAI Agents SDK': 'its SDK does not load the state with it' },
  },
  {
    ...numbered,
    id: 'dotted-name',
    says: 'A name of a tool with dots',
    address: 'https://github.com/github/copilot-cli/issues/2581',
    named: 'catalog.get-entity-facets',
    turns: [[read('call-1', 1)], [write('call-2', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
    not: { 'OpenAI Agents SDK': 'its SDK replaces them' },
  },
  {
    ...numbered,
    id: 'long-name',
    says: 'A name of a tool of 120 letters',
    address: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
    named: 'x'.repeat(114),
    turns: [[read('call-1', 1)], [write('call-2', 2)]],
    expects: { results: [{ n: 1 }, { n: 2 }] },
  },
];
