import type { WireOptions } from 'agentcharter/adapters/http';
import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { callers, served } from '../served.ts';
import { runPython } from './python.ts';

const identity: WireOptions['identity'] = ({ headers }) => {
  const [, token] = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return callers[token ?? headers.get('x-caller') ?? ''] ?? null;
};

/** A bank whose questions Kim answers so, in order; what is asked after that stays open. */
const open = async (...answers: readonly object[]) => {
  const bank = await served({ wire: { identity } });
  const rest = [...answers];
  bank.guard.orchestrator.on('question', async ({ message }) => {
    const answer = rest.shift();
    if (answer === undefined) return;
    const feedback = { ...answer, target: message.messageId };
    expect((await bank.post('/feedback', { feedback }, { as: 'kim' })).said).toBeNull();
  });
  return bank;
};

const setUp = `import os, sys
from agentcharter import *
done = []

def pay(to: str) -> dict:
    done.append(to)
    return {"paid": to, "under": clearance().intent[:7]}

run = Guard(sys.argv[1], token="teller", retries=0).run("job", {"for": "test"}, key="job 1")
`;

const lines = async (url: string, program: string) => {
  const { code, stderr, lines: printed } = await runPython(`${setUp}\n${program}\nprint(done)`, [url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return printed;
};

const approve = { type: 'approve' };

describe.skipIf(skipWithout(['python']) !== null)('A function of a caller in Python, under a guard', () => {
  it('is performed once, after a person approved it, and its result is evidence', async () => {
    const { url, done, guard } = await open(approve);
    const program = `print(run.guarded("pay", waits=True)(pay)("alice"))`;
    const paid = "{'paid': 'alice', 'under': 'sha256:'}";
    expect(await lines(url, program)).toEqual([paid, "['alice']"]);
    expect(await lines(url, program)).toEqual([paid, '[]']);
    expect(done).toEqual([]);
    const [task] = await guard.orchestrator.list();
    const { evidence } = await guard.orchestrator.task(task?.taskId ?? '');
    expect(evidence.map(({ payload }) => payload)).toEqual([{ paid: 'alice', under: 'sha256:' }]);
  });

  it('did nothing, or nobody knows', async () => {
    const { url } = await open(approve);
    const program = `
def fail(error):
    def failing(**given):
        raise error
    return failing

print(run.perform("pay", {"to": "alice"}, fail(NotDone("No such account.")), waits=True).text)
try:
    run.perform("note", {"line": "a"}, fail(OSError("cut off")))
except OSError as error:
    print(error)
print(run.perform("note", {"line": "a"}, fail(AssertionError())).text)
`;
    expect(await lines(url, program)).toEqual([
      expect.stringContaining('No such account.'),
      'cut off',
      expect.stringMatching(/^APPROVAL_REQUIRED: it waits for .*note/),
      '[]',
    ]);
  });

  it('that ended with its program is not performed again: a person is asked', async () => {
    const { url, guard } = await open(approve);
    const dying = `run.perform("pay", {"to": "alice"}, lambda to: os._exit(3), waits=True)`;
    expect((await runPython(setUp + dying, [url])).code).toBe(3);
    const again = `print(run.perform("pay", {"to": "alice"}, pay).status)`;
    expect(await lines(url, again)).toEqual(['paused', '[]']);
    expect((await guard.orchestrator.inbox()).map(({ question }) => question.kind)).toEqual(['doubt']);
  });

  it('is undone by its program if the run fails, or is cancelled', async () => {
    const { url, guard } = await open(approve, approve);
    const program = `
undone = []
def recall(action):
    undone.append(action["payload"])
run.guarded("pay", rollback=recall, waits=True)(pay)("alice")
run.cancel()
print(undone, run.view()["state"])
other = Guard(sys.argv[1], token="teller").run("job", {"for": "test"}, key="job 2")
def lost(action):
    raise NotDone("It is spent.")
other.guarded("pay", rollback=lost, waits=True)(pay)("bob")
print(other.cancel()["state"], other.undo())
`;
    expect(await lines(url, program)).toEqual([
      "[{'to': 'alice'}] cancelled",
      'cancelled 0',
      "['alice', 'bob']",
    ]);
    const last = (await guard.orchestrator.list()).at(-1);
    const { message } = await guard.orchestrator.settled(last?.taskId ?? '');
    expect(message.explanation).toContain('It is spent.');
  });

  it('gets the arguments that a person changed', async () => {
    const { url } = await open({ type: 'edit', content: { value: { to: 'bob' } } });
    const program = `print(run.perform("pay", {"to": "alice"}, pay, waits=True).result["paid"])`;
    expect(await lines(url, program)).toEqual(['bob', "['bob']"]);
  });
});
