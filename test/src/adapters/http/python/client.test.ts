import type { TaskClassDefinition } from 'agentcharter';
import type { WireOptions } from 'agentcharter/adapters/http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { callers, served } from '../served.ts';
import { runPython, type RanPython } from './python.ts';

/** Python sends a token; the tests themselves say who they are in a header. */
const identity: WireOptions['identity'] = ({ headers }) => {
  const [, token] = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return callers[token ?? headers.get('x-caller') ?? ''] ?? null;
};

const contract: Partial<TaskClassDefinition> = {
  beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] },
};

/** A bank that is served, where every question is answered by Kim as `answers` says; `null` leaves it open. */
const open = async (answers: 'approve' | 'reject' | 'edit' | null = null) => {
  const bank = await served({ contract, wire: { identity } });
  bank.guard.orchestrator.on('question', async ({ message }) => {
    if (answers === null) return;
    const content = answers === 'edit' ? { content: { value: { to: 'bob' } } } : {};
    const feedback = { type: answers, target: message.messageId, ...content };
    expect((await bank.post('/feedback', { feedback }, { as: 'kim' })).said).toBeNull();
  });
  return bank;
};

/** Runs a program that knows `guard`. It must end well. */
const lines = async (
  url: string,
  program: string,
  setUp = 'guard = Guard(url, token="teller", retries=0)',
) => {
  const head = `import asyncio, sys\nfrom agentcharter import *\nurl = sys.argv[1]\n${setUp}\n`;
  const ran: RanPython = await runPython(head + program, [url]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.lines;
};

describe.skipIf(skipWithout(['python']) !== null)('The client for Python', () => {
  it('is refused an answer without evidence, then reads, and delivers', async () => {
    const { url, done } = await open();
    const program = `
with guard.run("job", {"for": "test"}) as run:
    early = run.conclude({"text": "It is paid."})
    print(early.text)
    outcome = run.call("read", {"of": "x"})
    print(outcome.text, isinstance(outcome, Done) and outcome.evidence["evidence_type"])
    print(run.conclude({"text": "Read."}, explanation="As asked."))
    print(run.view()["outcome"], run.call("read", {"of": "y"}).text)
`;
    expect(await lines(url, program)).toEqual([
      'The attempt failed; the next one begins. EVIDENCE_MISSING: Task class "job" requires a result of tool read before delivery, and there is none.',
      '{"of": "x"} tool_result',
      "Delivered(payload={'text': 'Read.'})",
      'success The run is over; no more calls are made.',
    ]);
    expect(done).toEqual(['read x']);
  });

  it('waits for a person, and has a write made once', async () => {
    const { url, done } = await open('approve');
    const program = `
with guard.run("job", {"for": "test"}) as run:
    print(run.call("pay", {"to": "alice"}, waits=True).result)
    print(run.call("pay", {"to": "alice"}, ref="other").text)
`;
    const [first, second] = await lines(url, program);
    expect(first).toBe("{'to': 'alice'}");
    expect(second).toMatch(/^Not made again: this is the result of [0-9a-f]{32}-1\. \{"to": "alice"\}$/);
    expect(done).toEqual(['pay alice']);
  });

  it('tells the model what a person rejected or changed', async () => {
    const program = `
with guard.run("job", {"for": "test"}) as run:
    print(run.call("pay", {"to": "alice"}, waits=True).text)
`;
    const rejecting = await open('reject');
    expect((await lines(rejecting.url, program))[0]).toMatch(/^[A-Z_]+: .*rejected/);
    const editing = await open('edit');
    expect(await lines(editing.url, program)).toEqual([
      'kim changed this call to {"to": "bob"}. {"to": "bob"}',
    ]);
  });

  it('resumes a run by its key, and finds its calls', async () => {
    const { url, done, approve, guard } = await open();
    const program = `
with guard.run("job", {"for": "test"}, key="job 1") as run:
    for at in (1, 2):
        print(run.call("read", {"of": "x"}).status)
    paid = run.call("pay", {"to": "alice"})
    print(paid.status, run.call("pay", {"to": "alice"}).status)
    if isinstance(paid, Paused):
        raise SystemExit(0)
    print(run.conclude({"text": "Paid."}).status)
`;
    expect(await lines(url, program)).toEqual(['done', 'done', 'paused paused']);
    const [task] = await guard.orchestrator.list();
    expect(await guard.orchestrator.inbox()).toHaveLength(1);
    expect((await approve(task?.taskId ?? '')).status).toBe(204);
    expect(await lines(url, program)).toEqual(['done', 'done', 'done done', 'delivered']);
    expect(done).toEqual(['read x', 'read x', 'pay alice']);
    expect(await guard.orchestrator.list()).toHaveLength(1);
  });

  it('cancels a run that an error leaves, unless its key can resume it', async () => {
    const { url, guard } = await open();
    const program = `
for key in (None, "job 1"):
    try:
        with guard.run("job", {"for": "test"}, key=key) as run:
            raise LookupError
    except LookupError:
        print(run.view()["state"].split(".")[0])
print(run.cancel()["state"], run.cancel()["state"])
try:
    run.cancel(urgent=True)
except Invalid as error:
    print(error.status, error.code)
`;
    expect(await lines(url, program)).toEqual([
      'cancelled',
      'submitted',
      'cancelled cancelled',
      '409 fact_refused',
    ]);
    expect(await guard.orchestrator.counts()).toMatchObject({ questions: 0 });
  });

  it('raises what the host refuses, with its code and what to do', async () => {
    const { url } = await open();
    const program = `
def attempt(work):
    try:
        print(work())
    except AgentCharterError as error:
        print(type(error).__name__, getattr(error, "status", ""), error)

attempt(lambda: Guard(url, token="nobody").run("job", {}))
attempt(lambda: Guard(url, token="kim").run("job", {}))
attempt(lambda: guard.run("jbo", {}))
attempt(lambda: guard.run("job", "not an object"))
guard.run("job", {"at": 1}, key="k")
attempt(lambda: guard.run("job", {"at": 2}, key="k"))
attempt(lambda: Guard("http://127.0.0.1:9", retries=0).run("job", {}))
attempt(lambda: Guard(url + "/nowhere", token="teller").run("job", {}))
try:
    Guard("127.0.0.1:8080")
except ValueError as error:
    print(error)
`;
    const token = 'Pass the token that the host knows as that of an agent: Guard(url, token=...).';
    expect(await lines(url, program)).toEqual([
      `NotAllowed 401 unauthenticated: Expected an authenticated caller. ${token}`,
      `NotAllowed 403 identity_refused: Expected an agent. ${token}`,
      expect.stringMatching(
        /^NotFound 404 not_found: .*"jbo".*"job".* Correct the name, and see that this agent began the run\.$/,
      ),
      expect.stringMatching(
        /^Invalid 422 document_invalid: request is not valid: "\/payload" must be an object, was a string\. Correct the request\.$/,
      ),
      expect.stringMatching(/^Invalid 422 key_reused: .*: use a new key\. Correct the request\.$/),
      expect.stringMatching(
        /^Unreachable {2}No response came from http:\/\/127\.0\.0\.1:9: .*refused.* See that the host runs at this `url`\./,
      ),
      'NotFound 404 not_found: There is no such place. Correct the name, and see that this agent began the run.',
      "expected an address such as http://127.0.0.1:8080, not '127.0.0.1:8080'",
    ]);
  });

  it('says so if the address is that of something else, and sends the token to no other one', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer(({ url, headers }, response) => {
      seen.push(`${url} ${headers.authorization}`);
      if (url === '/page/runs') response.end('<p>Welcome</p>');
      else if (url === '/odd/runs') response.end('{"taskId": "t"}');
      else if (url?.startsWith('/odd') === true) response.end('{"status": "dnoe"}');
      else response.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    const program = `
for place in ("/page", "/moved", "/odd"):
    try:
        print(Guard(url + place, token="secret", retries=0).run("job", {}).call("read", {}))
    except AgentCharterError as error:
        print(type(error).__name__, error)
`;
    expect(await lines(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, program)).toEqual([
      expect.stringMatching(/^Unreachable .* sent no JSON object\. See that the host runs at this `url`\./),
      'Invalid http_302: the response is HTTP 302 without details. Correct the request.',
      expect.stringMatching(/^Unreachable Expected an outcome, and got \{"status": "dnoe"\}\. See that/),
    ]);
    expect(seen).toEqual(
      ['/page/runs', '/moved/runs', '/odd/runs', '/odd/runs/t/calls'].map((at) => `${at} Bearer secret`),
    );
  });

  it('does the same in asyncio', async () => {
    const { url, done } = await open('approve');
    const program = `
async def main():
    run = await guard.run("job", {"for": "test"}, key="job 1")
    print((await run.call("read", {"of": "x"})).status)
    async with guard.run("job", {"for": "test"}, key="job 1") as same:
        print(same.id == run.id)
        both = [same.call("pay", {"to": to}, waits=True) for to in ("alice", "bob")]
        print([one.status for one in await asyncio.gather(*both)])
        print((await same.conclude({"text": "Paid."})).text, (await run.view())["outcome"])
    try:
        async with guard.run("job", {"for": "test"}) as other:
            raise LookupError
    except LookupError:
        print((await other.view())["state"], (await other.cancel())["state"])

asyncio.run(main())
`;
    expect(await lines(url, program, 'guard = AsyncGuard(url, token="teller")')).toEqual([
      'done',
      'True',
      "['done', 'done']",
      '{"text": "Paid."} success',
      'cancelled cancelled',
    ]);
    expect(done.toSorted()).toEqual(['pay alice', 'pay bob', 'read x']);
  });
});
