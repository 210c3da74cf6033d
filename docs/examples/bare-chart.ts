import { dutiesOf, Fact, taskMachine, violationsOf } from 'agentcharter/machines';
import { createActor } from 'xstate';

// The chart alone: facts in, duties out. You do the work and keep the record.
const request = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';
const charter = { id: 'answer', beforeDeliver: { evidence: [{ type: 'tool_result' as const }] } };
const task = createActor(taskMachine, { input: { taskClass: charter, request } }).start();

// Validate what comes from outside.
const send = (given: unknown): void => {
  const { success, data: fact, error } = Fact.safeParse(given);
  if (!success) return console.log('not a fact:', error.issues.map(({ path }) => path.join('/')).join());
  task.send(fact);
  const snapshot = task.getSnapshot();
  const duties = dutiesOf(snapshot).filter(({ kind }) => kind !== 'wake');
  console.log(
    `${fact.type} -> ${JSON.stringify(snapshot.value)}, duties: ${duties.map(({ kind }) => kind).join()}`,
  );
};

const search = { id: 'c1', tool: 'search', tier: 'read_only' as const, digest: 'a1', rollback: false };
const call = { request, attempt: 0, call: 'c1' };

send({ type: 'request.accepted' });
send({ type: 'plan.proposed', digest: 'p1', confidence: 0.45, canProceed: true, calls: [search] });
send({ type: 'human.responded', question: 'plan:p1', feedback: 'approve' });
console.log(
  violationsOf('deliver', task.getSnapshot().context)
    .map(({ code }) => code)
    .join(),
);
send({ type: 'call.started', ...call, digest: 'a1' });
send({ type: 'call.succeeded', ...call, evidence: 'it went well' });
send({ type: 'call.succeeded', ...call, evidence: { id: 'e1', type: 'tool_result' } });
send({ type: 'draft.proposed', digest: 'd1', confidence: 0.9, canProceed: true });
