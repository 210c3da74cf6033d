import { createHmac } from 'node:crypto';
import { RunState, type Agent } from '@openai/agents';
import { isObject } from '../../../../src/base/boundary/is-object.ts';
import { sealRun, unsealRun, type KeptRun } from 'agentcharter/adapters/openai-agents';

/** The host's, in every process. */
export const key = new Uint8Array(32).fill(7);

/** A `RunState` in which somebody gave a call other arguments. */
export const editedState = (state: string, call: string, input: object): string =>
  JSON.stringify(
    JSON.parse(state, (_, value: unknown) => {
      const isCall = isObject(value) && value['callId'] === call && 'arguments' in value;
      return isCall ? { ...value, arguments: JSON.stringify(input) } : value;
    }),
  );

const approvedState = async (agent: Agent, text: string): Promise<string> => {
  const state = await RunState.fromString(agent, text);
  for (const item of state.getInterruptions()) state.approve(item);
  return state.toString();
};

/** What was kept, with whatever waits approved by the SDK's own means, as its host can. */
export const approvedKept = async (agent: Agent, kept: string, taskId: string): Promise<string> => {
  const run = await unsealRun(kept, key, taskId);
  return sealRun({ ...run, state: await approvedState(agent, run.state) }, key);
};

/** The same, in the state of the one agent that is a tool of another. */
export const approvedInside = async (inner: Agent, kept: string, taskId: string): Promise<string> => {
  const run = await unsealRun(kept, key, taskId);
  const state = JSON.parse(run.state) as { readonly pendingAgentToolRuns: Readonly<Record<string, string>> };
  const [[name, text] = ['', '']] = Object.entries(state.pendingAgentToolRuns);
  const pendingAgentToolRuns = { [name]: await approvedState(inner, text) };
  return sealRun({ ...run, state: JSON.stringify({ ...state, pendingAgentToolRuns }) }, key);
};

/** Somebody edits what was kept, and seals it again with the host's own key: the seal alone does not stop them. */
export const editedKept = (kept: string, call: string, input: object): string => {
  const [header = '', payload = ''] = kept.split('.');
  const run = JSON.parse(Buffer.from(payload, 'base64url').toString()) as KeptRun;
  const edited = { ...run, state: editedState(run.state, call, input) };
  const signed = `${header}.${Buffer.from(JSON.stringify(edited)).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
};

/** Somebody who has what was kept, and no key, writes an answer into it. */
export const answeredKept = (kept: string, payload: object): string => {
  const [header = '', text = '', seal = ''] = kept.split('.');
  const run = JSON.parse(Buffer.from(text, 'base64url').toString()) as KeptRun;
  const answered = JSON.stringify({ ...run, draft: { payload } });
  return `${header}.${Buffer.from(answered).toString('base64url')}.${seal}`;
};
