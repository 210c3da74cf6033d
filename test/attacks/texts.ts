import { expect } from 'vitest';
import { MessageEnvelope, UpFormatMessage } from '../../schema/index.ts';
import { parseDocument } from '../../src/base/boundary/parse-document.ts';
import { readJson } from '../../src/base/boundary/read-json.ts';
import { defineTool } from '../../src/index.ts';
import { scene } from '../src/core/shell/scene.ts';
import { AnyInput, call, draft, identity, plan, readTool } from '../src/core/shell/scripted.ts';
import { errorOf, failedSafe, replaced, stopOf, stopped, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, expectRefusal, order, signed } from './bank.ts';
import { forgery } from './tokens.ts';

/** Characters that look like others, like none, or like the end of a line. */
const strange: Readonly<Record<string, string>> = {
  'a lone surrogate': 'agent\ud800',
  'a text that runs backwards': 'agent\u202enimda',
  'a character of no width': 'ag\u200bent',
  'a byte order mark': '\ufeffagent',
  'a letter of another alphabet': 'аgent',
  'an accent on its own': 'agente\u0301',
  'a line feed': 'agent\n2026-11-21 INFO approved',
  'a carriage return': 'agent\rapproved',
  'an escape sequence': 'agent\u001b[2K',
  'a NUL': 'agent\u0000',
  'a delete': 'agent\u007f',
  'a separator of lines': 'agent\u2028approved',
};

const ids: readonly Attack[] = Object.entries(strange).flatMap(([name, id]): readonly Attack[] => {
  const number = /line|return|escape|NUL|delete/.test(name) ? 36 : 26;
  const source = number === 36 ? 'CWE-117' : 'UTS 39';
  const expected: Stop = name === 'a lone surrogate' ? 'input_unreadable' : 'document_invalid';
  return [
    {
      number,
      attempt: `${name} in the name of an agent`,
      expected,
      source,
      run: async () => {
        const one = scene();
        const request = { taskClass: 'work', payload: {}, identity: { ...identity, agent_id: id } };
        const stop = await unmoved(one, () => one.orchestrator.submit(request));
        expect(await one.orchestrator.list()).toEqual([]);
        return stop;
      },
    },
    {
      number,
      attempt: `${name} in the name of the person who answers`,
      expected: 'document_invalid',
      source,
      run: async () => {
        const one = bank();
        await one.submit();
        const stop = await unmoved(one, async () =>
          one.answer('approve', undefined, { by: id, approval: await signed(one) }),
        );
        expect(one.paid).toEqual([]);
        return stop;
      },
    },
    forgery(
      number,
      `${name} in the name of an approver`,
      'APPROVAL_MALFORMED',
      (one) => signed(one, { sub: id }),
      source,
    ),
  ];
});

const spellings: readonly Attack[] = [
  {
    number: 26,
    attempt: 'an approval of arguments that look the same, in another spelling of one letter',
    expected: 'APPROVAL_ARGUMENTS_MISMATCH',
    source: 'RFC 8785',
    run: async () => {
      const one = bank([
        ['transfer', { ...order, to: 'Jos\u00e9' }],
        ['transfer', { ...order, to: 'Jose\u0301' }],
      ]);
      const taskId = await one.submit();
      const [first, second] = await one.orchestrator.inbox();
      const stop = await unmoved(one, async () => bring(one, await signed(one, {}, {}, first), second));
      await expectRefusal(one, taskId, stop);
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 26,
    attempt: 'half a character in a name within the result of a tool',
    expected: 'value_not_json',
    source: 'RFC 7493, 2.1',
    run: async () => {
      const one = scene({
        model: [plan([call('read')]), draft()],
        tools: [readTool('read', { call: () => ({ '\ud800': 1 }) })],
      });
      return replaced(one, await one.submit());
    },
  },
  {
    number: 26,
    attempt: 'half a character in bytes',
    expected: 'input_unreadable',
    source: 'RFC 7493, 2.1',
    run: () => stopped(() => readJson('message', '"\\ud800"')),
  },
  {
    number: 26,
    attempt: 'bytes that are no UTF-8',
    expected: 'input_unreadable',
    source: 'RFC 8259, 8.1',
    run: () => stopped(() => readJson('message', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]))),
  },
];

const noise = '\r\n2026-11-21 INFO approved by root\u001b[2K\u202e';

/** A pattern on which a backtracking engine takes for ever. */
const evil = '^(a+)+$';

const logs: readonly Attack[] = [
  {
    number: 36,
    attempt: 'an error of a tool that writes a line of the log',
    expected: 'TOOL_FAILED',
    source: 'CWE-117',
    run: async () => {
      const one = scene({
        model: [plan([call('read')]), draft()],
        tools: [readTool('read', { call: () => Promise.reject(new Error(`down${noise}`)) })],
        taskClass: { limits: { repairs: 0 } },
      });
      const taskId = await one.submit();
      const stop = await failedSafe(one, taskId);
      const record = (await one.orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
      expect(record?.brought.explanation).not.toMatch(/\p{Cc}/u);
      return stop;
    },
  },
  {
    number: 36,
    attempt: 'a name in a document that writes a line of the log',
    expected: 'document_invalid',
    source: 'CWE-117',
    run: async () => {
      const error = await errorOf(() => parseDocument('MessageEnvelope', MessageEnvelope, { [noise]: 1 }));
      expect(error.message).not.toMatch(/\p{Cc}/u);
      return stopOf(error);
    },
  },
  {
    number: 36,
    attempt: 'the name of a task that writes a line of the log',
    expected: 'not_found',
    source: 'CWE-117',
    run: async () => {
      const one = scene();
      const error = await errorOf(() => one.orchestrator.cancel(noise, { by: 'kim' }));
      expect(error.message).not.toMatch(/\p{Cc}/u);
      return stopOf(error);
    },
  },
  {
    number: 36,
    attempt: 'a token, to find it in an error or in the log of a refusal',
    expected: 'APPROVAL_SIGNATURE_WRONG',
    source: 'OWASP Logging',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const token = `${(await signed(one)).slice(0, -8)}AAAAAAAA`;
      const error = await errorOf(() => bring(one, token));
      const seen = JSON.stringify([
        error.message,
        error.details,
        error.stack,
        await one.orchestrator.ledger(taskId),
      ]);
      expect(seen).not.toContain(token.split('.')[1]);
      expect(seen).not.toContain('AAAAAAAA');
      return stopOf(error);
    },
  },
  {
    number: 36,
    attempt: 'the name of a tool that is an escape sequence',
    expected: 'definition_invalid',
    source: 'CWE-117',
    run: () =>
      stopped(() =>
        defineTool({
          name: 'wipe\u001b[2K',
          description: '',
          tier: 'read_only',
          input: AnyInput,
          call: async () => null,
        }),
      ),
  },
  {
    number: 36,
    attempt: 'a pattern that never ends, in the schema of a context, which is never compiled',
    expected: 'EVIDENCE_MISSING',
    source: 'CWE-1333',
    run: async () => {
      const upContext = { entity: 'a'.repeat(50_000), schema: { pattern: evil } };
      const one = scene({
        model: [plan(), draft({ text: `${'a'.repeat(50_000)}!` }, { upContext })],
        taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
      });
      return failedSafe(one, await one.submit());
    },
  },
  ...Object.entries({
    'a time': { timestamp: `2026-11-21T05:00:00.${'0'.repeat(900_000)}` },
    'a UUID': { messageId: '0'.repeat(900_000) },
    'a pointer': {
      upFeedback: {
        type: 'comment',
        target: { messageId: '00000000-0000-4000-8000-00000000abcd', part: `${'/~0'.repeat(300_000)}~` },
      },
    },
  }).map(([name, members]): Attack => ({
    number: 36,
    attempt: `${name} of a megabyte, to keep a pattern busy`,
    expected: 'document_invalid',
    source: 'CWE-1333',
    run: async () => {
      const message = {
        messageId: '00000000-0000-4000-8000-00000000abcd',
        threadId: '00000000-0000-4000-8000-00000000abcd',
        timestamp: '2026-11-21T05:00:00Z',
        state: 'submitted',
        payload: {},
        explanation: '',
        ...members,
      };
      return stopped(() => parseDocument('UpFormatMessage', UpFormatMessage, message));
    },
  })),
];

export const texts = [ids, spellings, logs].flat();
