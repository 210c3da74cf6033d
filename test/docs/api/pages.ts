import { code, table } from '../reference/markdown.ts';
import type { Entry, PublicName } from './names.ts';

/** What each entry is for; an entry without a sentence is not printed. */
const purposes: Readonly<Record<string, string>> = {
  agentcharter: 'The orchestrator, what it is made of, and the ports through which it meets the world.',
  'agentcharter/schema':
    'The documents of both specifications: each name is a zod schema and the type of what it reads.',
  'agentcharter/machines': 'The two charts, their facts, and what follows from their states.',
  'agentcharter/adapters/a2a':
    'Task classes as A2A agents, and A2A agents as tools; wants the peer `@a2a-js/sdk`.',
  'agentcharter/adapters/ai-sdk': 'The guard around agents of the AI SDK; wants the peer `ai`.',
  'agentcharter/adapters/http':
    'Governed runs, messages and AG-UI interrupts over plain HTTP; wants the peers `hono` and `@hono/node-server`.',
  'agentcharter/adapters/langchain':
    'The guard around agents of LangChain and graphs of LangGraph; wants the peers `langchain`, `@langchain/core` and `@langchain/langgraph`.',
  'agentcharter/adapters/mcp':
    'Tools of MCP servers under contracts, and task classes as MCP tools; wants a peer of `@modelcontextprotocol`.',
  'agentcharter/adapters/openai-agents':
    'The guard around agents of the OpenAI Agents SDK; wants the peer `@openai/agents`.',
  'agentcharter/adapters/openai-compatible': 'A language model behind an OpenAI-compatible endpoint.',
  'agentcharter/approvals': 'Signed approvals: what is signed, who signs, and what is verified.',
  'agentcharter/console':
    'Where people see tasks and answer questions, in a browser; wants the peers `hono` and `@hono/node-server`.',
  'agentcharter/drivers/pg-boss': 'Tasks as jobs of pg-boss, on the same server.',
  'agentcharter/feedback': 'What people answer, applied to what they were shown.',
  'agentcharter/guard': 'Governed runs of agents that live in a framework, or in a loop of their own.',
  'agentcharter/inspect':
    'Running tasks in the Stately inspector; wants the peers `hono` and `@hono/node-server`.',
  'agentcharter/ledger':
    'The record of a task: verified, replayed, written as JSON Lines and sealed from outside.',
  'agentcharter/lineage': 'Who said what to whom: messages as a tree, as JSON Lines and as a diagram.',
  'agentcharter/origins': 'Where the arguments of calls come from; a second model for untrusted evidence.',
  'agentcharter/policies': 'Policies as a closed table of rules.',
  'agentcharter/policies/cedar': 'Policies in Cedar; wants the peer `@cedar-policy/cedar-wasm`.',
  'agentcharter/render': 'Pictures and texts of a chart.',
  'agentcharter/semantics':
    'What a payload means: derived from its schema, mapped onto another, written and read as linked data; `mediate` wants the peer `minisearch`, `fromJsonLd` the peer `jsonld`.',
  'agentcharter/semantics/shacl': 'Payloads judged by SHACL shapes; wants the peer `rdf-validate-shacl`.',
  'agentcharter/streaming': 'Drafts that are read while they are written.',
  'agentcharter/telemetry': 'Spans for tasks, gates and calls; wants the peer `@opentelemetry/api`.',
  'agentcharter/testing':
    'Tests and proves charters and charts; the conformance kit for other orchestrators.',
  'agentcharter/stores': 'What a store of your own keeps and gives back.',
  'agentcharter/stores/memory': 'A store that lasts as long as its process.',
  'agentcharter/stores/postgres':
    'A store in PostgreSQL, for several processes and machines; wants the peer `pg`.',
  'agentcharter/stores/sqlite': 'A store in one file; wants the peer `libsql`.',
  'agentcharter/types':
    'The types that the declarations of `agentcharter` mention and no other entry exports.',
};

const purposeOf = (path: string): string => {
  const purpose = purposes[path];
  if (purpose === undefined) throw new TypeError(`Nobody says what ${path} is for.`);
  return purpose;
};

export const fileOf = (path: string): string =>
  `${path.replace('agentcharter/', '').replaceAll('/', '-')}.md`;

const printed =
  '<!-- Printed by test/docs/api from the doc comments. To print it anew: npx vitest run --config test/vitest.config.ts test/docs -u -->';

const section = ({ name, comment, code }: PublicName): readonly string[] => [
  `### ${name}`,
  ...(comment === '' ? [] : [comment]),
  `\`\`\`ts\n${code}\n\`\`\``,
];

const chapter = (title: string, names: readonly PublicName[]): readonly string[] =>
  names.length === 0 ? [] : [`## ${title}`, ...names.flatMap(section)];

/** The page of one entry: values first, then types, each in alphabetical order. */
export const entryPage = ({ path, names }: Entry): string => {
  const sorted = names.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  return [
    `# ${path}`,
    printed,
    purposeOf(path),
    ...chapter(
      'Values',
      sorted.filter(({ isValue }) => isValue),
    ),
    ...chapter(
      'Types',
      sorted.filter(({ isValue }) => !isValue),
    ),
  ]
    .join('\n\n')
    .concat('\n');
};

/** Every entry, with what it is for. */
export const indexPage = (entries: readonly Entry[]): string =>
  [
    '# API reference',
    printed,
    'One page for each path that may be imported. The JSON Schemas of the documents are files: `agentcharter/schema/json/*`.',
    table(
      ['import from', 'what it is', 'values', 'types'],
      entries.map(({ path, names }) => {
        const values = names.filter(({ isValue }) => isValue).length;
        return [`[${code(path)}](${fileOf(path)})`, purposeOf(path), `${values}`, `${names.length - values}`];
      }),
    ),
  ]
    .join('\n\n')
    .concat('\n');
