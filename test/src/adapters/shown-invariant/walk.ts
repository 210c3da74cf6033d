import type { Run } from 'agentcharter/guard';
import { routes } from '../../../../src/adapters/http/routes/index.ts';
import type { Step } from '../subject.ts';

/** Is given what an agent is shown. */
export type Sees = (shown: unknown) => void;

/** What the requests of an agent about its run are made of. */
interface Asked {
  readonly taskId: string;
  readonly threadId: string;
  readonly question: string;
  /** A call that the run knows. */
  readonly call: Extract<Step, { calls: unknown }>['calls'][number] | undefined;
}

/** What an agent sends to each route, by its operation; `null` for a route without a body. */
const bodies: Readonly<Record<string, (asked: Asked) => object | null>> = {
  beginRun: () => ({ taskClass: 'post', payload: {} }),
  readRun: () => null,
  call: ({ call }) => ({ tool: call?.tool, arguments: call?.arguments, ref: call?.id }),
  callTogether: ({ call }) => ({ calls: [{ tool: call?.tool, arguments: call?.arguments, ref: call?.id }] }),
  readThread: () => null,
  readDocuments: () => null,
  followRun: () => null,
  resumeRun: ({ threadId, taskId }) => ({ threadId, runId: taskId }),
  describe: () => null,
  sendMessage: ({ threadId }) => ({
    messageId: crypto.randomUUID(),
    threadId,
    timestamp: new Date().toISOString(),
    state: 'completed',
    payload: {},
    explanation: 'It is done.',
    agentId: 'clerk',
  }),
  respond: ({ question }) => ({ feedback: { type: 'approve', target: question } }),
  reportCall: () => ({ status: 'notDone', explanation: 'It is not.' }),
  listRollbacks: () => null,
  reportRollback: () => ({ status: 'done' }),
  conclude: () => ({ payload: { said: 'done' } }),
  cancel: () => ({}),
};

/** What changes the run: asked once, when nothing else is left to see. */
const lasting = ['conclude', 'cancel'];

/** Returns what comes of a stream that may not end, for as long as a test waits. */
const textOf = async ({ body }: Response): Promise<string> => {
  let text = '';
  try {
    for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()))
      text += part;
  } catch {
    // the stream was left
  }
  return text;
};

/** Asks every route of the wire, as the agent of a run. A route that has no body above fails. */
export const walkRoutes = async (url: string, asked: Asked, sees: Sees, isLast: boolean): Promise<void> => {
  const ordered = [
    ...routes.filter(({ operation }) => !lasting.includes(operation)),
    ...(isLast ? lasting.map((name) => routes.filter(({ operation }) => operation === name)).flat() : []),
  ];
  for (const { method, path, operation, response: kind } of ordered) {
    const body = bodies[operation];
    if (body === undefined) throw new Error(`no request for ${operation}: say what an agent sends there`);
    const sent = body(asked);
    const names = { taskId: asked.taskId, threadId: asked.threadId, ref: asked.call?.id ?? 'none' };
    const at = path.replaceAll(/\{(taskId|threadId|ref)\}/g, (_, name: keyof typeof names) =>
      encodeURIComponent(names[name]),
    );
    const leaving = new AbortController();
    const response = await fetch(`${url}${at}`, {
      method,
      ...(sent && { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }),
      signal: leaving.signal,
    });
    if (kind === 'events') setTimeout(() => leaving.abort(), 200).unref(); // a run that waits streams on
    sees([operation, response.status, await textOf(response)]);
  }
};

/** Reads what a run gives its agent. */
export const walkRun = async (run: Run, sees: Sees): Promise<void> =>
  sees(await Promise.all([run.progress(), run.questions('agent'), run.documents(), run.savedState()]));
