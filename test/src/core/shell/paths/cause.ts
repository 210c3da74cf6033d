import type { CallContext } from 'agentcharter';
import type { Context, Fact, FactOf, ProposedCall } from 'agentcharter/machines';
import { unreadFeedback } from '../../../../../src/base/feedback/feedback.ts';
import { call, draft, plan } from '../scripted.ts';
import type { Stage } from './stage.ts';

/** Where a fact happens: a task on a stage, and its names in the graph. */
interface Scene {
  readonly stage: Stage;
  readonly taskId: string;
  /** The context in the graph. */
  readonly context: Context;
  /** Translates a name of the run into the graph's. */
  readonly named: (text: string) => string;
  /** A number that is unique in the path. */
  readonly at: number;
}

const actionOf = ({ tool, digest }: ProposedCall) => call(tool, { action: digest.split('@')[0] });

type Sureness = Pick<FactOf<'plan.proposed'>, 'confidence' | 'canProceed'>;

const planOf = ({ calls, confidence, canProceed }: Omit<FactOf<'plan.proposed'>, 'type' | 'digest'>) =>
  plan(calls.map(actionOf), { confidence, canProceed });

const draftOf = ({ confidence, canProceed }: Omit<FactOf<'draft.proposed'>, 'type' | 'digest'>) =>
  draft({ done: true }, { confidence, canProceed });

const missing = plan([], { canProceed: false, missing: { where: 'where to look' } });

const found = <Thing>(thing: Thing | undefined, what: string): Thing => {
  if (thing === undefined) throw new Error(`no open request for ${what}`);
  return thing;
};

/** Answers for the model; repeats a rejected output, corrected. */
const answer = ({ stage: { asked } }: Scene, output: unknown): void => {
  const { asks, answer } = found(asked.turn, 'an output');
  answer.resolve(asks === 'correction' ? { choice: 'fixed', output, explanation: '' } : output);
};

const choose = ({ stage: { asked } }: Scene, choice: 'needHuman' | 'beyondCapability'): void =>
  found(asked.turn, 'a correction').answer.resolve({ choice, explanation: '' });

const callIn = ({ stage: { asked }, named }: Scene, id: string) =>
  found(
    [...asked.calls].findLast(([real]) => named(real) === id),
    `call ${id}`,
  )[1];

const outcome = (
  scene: Scene,
  { call: id }: { call: string },
  result: (tool: CallContext) => unknown,
): void => {
  const { context, answer } = callIn(scene, id);
  answer.resolve(result(context));
};

/** Fails a call: a read throws, and a write reports notDone. */
const fail = (scene: Scene, { type, code, call: id }: FactOf<'call.failed' | 'call.doubted'>) => {
  if (code === 'CHILD_FAILED') return receive(scene, id, 'failed');
  const isWrite = scene.context.calls[id]?.tier !== 'read_only';
  if (type === 'call.failed' && isWrite) return outcome(scene, { call: id }, ({ notDone }) => notDone(''));
  callIn(scene, id).answer.reject(new Error('connection reset'));
};

const agentOf = (dependency: string): string => `agent of ${dependency}`;

/** Sends the message of an agent that this call waits for. */
const receive = async (
  { stage: { orchestrator }, taskId, at }: Scene,
  id: string,
  state: 'failed' | 'needsHumanDecision',
): Promise<void> => {
  const task = (await orchestrator.list()).find((one) => one.taskId === taskId);
  await orchestrator.receive(
    {
      messageId: `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
      threadId: task?.threadId,
      timestamp: '2026-11-21T05:00:00Z',
      state,
      payload: {},
      explanation: '',
      agentId: agentOf(`event-${id}`),
    },
    { agent_id: agentOf(`event-${id}`), owner_id: 'acme' },
  );
};

const respond = async (
  { stage: { orchestrator }, named }: Scene,
  question: string,
  said: object,
  who: { readonly by: string; readonly approval?: string },
): Promise<void> => {
  const entry = (await orchestrator.inbox()).find((one) => named(one.question.id) === question);
  const { message } = found(entry, `an answer to ${question}`);
  await orchestrator.respond(unreadFeedback({ ...said, target: message.messageId }), who);
};

/** Whether a person is asked about an output. */
const isUnsure = ({ confidence, canProceed }: Sureness): boolean =>
  !canProceed || confidence === 'unstated' || confidence <= 0.5;

/** Returns an output; one that a person is asked about has the alternatives that they may put first. */
const offering = <Given extends Sureness>(outputOf: (given: Given) => object, given: Given): object => {
  const sure = outputOf({ ...given, confidence: 0.9, canProceed: true });
  const alternatives = [sure, outputOf(given)];
  return isUnsure(given) ? { ...outputOf(given), alternatives } : outputOf(given);
};

const replacementOf = ({ plan, draft, call, effect }: FactOf<'human.responded'>): unknown => {
  if (plan !== undefined) return planOf(plan);
  if (draft !== undefined) return draftOf(draft);
  if (call !== undefined) return actionOf(call).arguments;
  return effect ?? { said: true };
};

const contentOf = (fact: FactOf<'human.responded'>): object => {
  switch (fact.feedback) {
    case 'edit':
      return { content: { value: replacementOf(fact) } };
    case 'rank':
      return { content: [replacementOf(fact)] };
    case 'instruction':
    case 'comment':
      return { content: 'again' };
    case 'approve':
    case 'reject':
      return {};
  }
};

/** Approves with a token, or with the policy as authority. */
const approve = async (
  scene: Scene,
  { authority, digest, approver }: FactOf<'approval.granted'>,
): Promise<void> => {
  if (authority === 'system')
    return decisionOn(scene, digest).resolve({ verdict: 'allow', reasons: [], authority: approver });
  const approval = `${approver} ${scene.at}`;
  await respond(scene, `approval:${digest}`, { type: 'approve' }, { by: approver, approval });
};

/** Takes the policy's open question about an action. */
const decisionOn = ({ stage: { asked } }: Scene, digest: string) => {
  const [action = ''] = digest.split('@');
  const decision = found(asked.decisions.get(action), `a decision on ${digest}`);
  asked.decisions.delete(action);
  return decision;
};

const report = ({ stage: { asked }, named }: Scene, fact: FactOf<'verifier.reported'>): void => {
  const entry = [...asked.reports].find(([real]) => named(real) === `${fact.of} ${fact.verifier}`);
  const findings = found(entry, `a report of ${fact.verifier}`)[1];
  if (fact.code === undefined)
    findings.resolve({ checks: [{ check_id: 'looks right', result: fact.status }] });
  else findings.reject(new Error('out of order'));
};

const rollback = ({ stage: { asked }, named }: Scene, digest: string) =>
  found(
    [...asked.rollbacks].find(([real]) => named(real) === digest),
    `a rollback of ${digest}`,
  )[1];

const by = { by: 'ann' };

/** Causes a fact in the outside world; an orchestrator submits its own facts itself. */
export const cause = async (scene: Scene, fact: Fact): Promise<void> => {
  const { stage, taskId } = scene;
  const { asked, orchestrator } = stage;
  switch (fact.type) {
    case 'request.accepted':
      return found(asked.acceptance, 'acceptance').resolve({ accepted: true });
    case 'request.refused':
      return found(asked.acceptance, 'acceptance').resolve({ refused: fact.code, explanation: '' });
    case 'information.requested':
      if (asked.turn === undefined)
        return found(asked.acceptance, 'acceptance').resolve({ missing: { where: '?' }, explanation: '' });
      return answer(scene, missing);
    case 'plan.proposed':
    case 'calls.proposed':
      return answer(scene, offering(planOf, fact));
    case 'draft.proposed':
      return answer(scene, offering(draftOf, fact));
    case 'output.rejected':
      return found(asked.turn, 'an output').answer.resolve({ nonsense: true });
    case 'help.requested':
      return choose(scene, 'needHuman');
    case 'capability.exceeded':
      return choose(scene, 'beyondCapability');
    case 'run.failed':
      if (fact.code === 'MODEL_ERROR')
        return found(asked.turn, 'an output').answer.reject(new Error('rate limit'));
      return found([...asked.decisions.values()][0], 'a decision').reject(new Error('no engine'));
    case 'policy.decided':
      return decisionOn(scene, fact.digest).resolve({
        verdict: fact.verdict,
        reasons: [],
        ...(fact.ends && { ends: fact.ends }),
      });
    case 'approval.granted':
      return approve(scene, fact);
    case 'call.succeeded':
      return outcome(scene, fact, () => ({ read: true }));
    case 'call.failed':
    case 'call.doubted':
      return fail(scene, fact);
    case 'dependency.awaited': {
      const { dependency } = fact;
      const agent = agentOf(dependency);
      return outcome(scene, fact, ({ notYet }) => notYet({ dependency, agent, explanation: '' }));
    }
    case 'question.raised':
      if (scene.context.calls[fact.call]?.status === 'waiting')
        return receive(scene, fact.call, 'needsHumanDecision');
      return outcome(scene, fact, ({ needsHuman }) => needsHuman({ explanation: '' }));
    case 'dependency.met':
      return orchestrator.resolve(taskId, fact.dependency, { rows: 1 }, by);
    case 'verifier.reported':
      return report(scene, fact);
    case 'rollback.succeeded':
      return rollback(scene, fact.digest).resolve(null);
    case 'rollback.failed':
      return rollback(scene, fact.digest).reject(new Error('gone'));
    case 'human.responded':
      return respond(
        scene,
        fact.question,
        { type: fact.feedback, ...contentOf(fact) },
        { by: fact.by ?? '' },
      );
    case 'changes.requested':
      return respond(scene, 'followup', { type: 'instruction', content: 'again' }, by);
    case 'deadline.passed':
      return; // its deadline has passed
    case 'task.cancelled':
      return orchestrator.cancel(taskId, by);
    case 'call.started':
    case 'call.cleared':
    case 'taskClass.changed':
    case 'call.refused':
    case 'rollback.started':
    case 'followup.offered':
    case 'evidence.changed':
    case 'output.changed':
    case 'recovery.started':
      throw new Error(`${fact.type} was not done, which is the orchestrator's own`);
  }
};
