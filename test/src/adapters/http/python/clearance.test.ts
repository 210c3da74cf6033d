import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { clearing } from './clearing.ts';
import { runPython } from './python.ts';

const setUp = `import asyncio, os, sys
from agentcharter import *
run = Guard(sys.argv[1], retries=1).run("bills", {}, key="k")
done = []

def pay(to: str, cents: int = 5) -> dict:
    done.append(f"{to} {cents} {clearance().intent}")
    return {"paid": cents}
`;

/** Runs a program that knows `run` and the function `pay`, and prints what was done. */
const lines = async (url: string, program: string) => {
  const { code, stderr, lines: printed } = await runPython(`${setUp}\n${program}\nprint(done)`, [url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return printed;
};

const asked = {
  status: 'paused',
  awaits: [],
  questions: [{ message: { explanation: 'Did it happen?' } }],
};

const notKept = (kind: string) => ({ status: 'done', result: { 'agentcharter:notKept': `a ${kind}` } });

const refused = (explanation: string) => `Refused(code='NOT_DONE', explanation='${explanation}', issues=[])`;

const refusal = (parameter: string) => `<lambda>: expected arguments with names, and not ${parameter}`;

describe.skipIf(skipWithout(['python']) !== null)('A function of a caller in Python', () => {
  it('is performed once, and its result is reported: a program that starts again gets it', async () => {
    const { url, proposed, reported } = await clearing();
    const program = `print(run.guarded("money.send")(pay)("Ada"))`;
    expect(await lines(url, program)).toEqual(["{'paid': 5}", "['Ada 5 sha256:22']"]);
    expect(await lines(url, program)).toEqual(["{'paid': 5}", '[]']);
    const ref: unknown = expect.stringMatching(/^[0-9a-f]{32}-1$/);
    const call = {
      tool: 'money.send',
      arguments: { to: 'Ada', cents: 5 },
      ref,
      performs: 'caller',
      waits: false,
    };
    expect(proposed).toEqual([call, call]);
    expect(reported).toEqual([{ status: 'done', result: { paid: 5 } }]);
  });

  it('waits for a person, and gets the arguments that they changed', async () => {
    const cleared = {
      status: 'cleared',
      ref: 'r',
      arguments: { to: 'Bob', cents: 4 },
      intent: 'i',
      fence: null,
      expiresAt: '2030-01-01T00:00:00Z',
    };
    const { url, proposed } = await clearing({ proposals: [asked, cleared] });
    const program = `
send = run.guarded("money.send", waits=True)(pay)
print(send.__name__, send("Ada", cents=9))
`;
    expect(await lines(url, program)).toEqual(["pay {'paid': 4}", "['Bob 4 i']"]);
    expect(new Set(proposed.map(({ ref, waits }) => `${String(ref)} ${String(waits)}`)).size).toBe(1);
  });

  it('says why it is not performed, and asks again under the same ref', async () => {
    const { url, proposed } = await clearing({ proposals: [asked] });
    const program = `
send = run.guarded("money.send")(pay)
try:
    send("Ada")
except NotPerformed as error:
    print(type(error.outcome).__name__, error)
print(send("Ada"), send("Ada"))
`;
    expect(await lines(url, program)).toEqual([
      'Paused APPROVAL_REQUIRED: it waits for Did it happen? Tell the model.',
      "{'paid': 5} {'paid': 5}",
      "['Ada 5 sha256:22', 'Ada 5 sha256:22']",
    ]);
    expect(proposed.map(({ ref }) => String(ref).slice(33))).toEqual(['1', '1', '2']);
  });

  it('reports that nothing happened, or that it does not know', async () => {
    const { url, reported } = await clearing();
    const program = `
def fail(error):
    def failing(to: str) -> None:
        raise error
    return failing

for error in (NotDone("No such account."), NotDone(), ValueError("odd"), KeyboardInterrupt()):
    try:
        print(run.perform("money.send", {"to": repr(error)}, fail(error)))
    except BaseException as thrown:
        print(thrown is error)
`;
    expect(await lines(url, program)).toEqual([
      refused('No such account.'),
      refused('It did nothing.'),
      'True',
      'True',
      '[]',
    ]);
    expect(reported).toEqual([
      { status: 'notDone', explanation: 'No such account.' },
      { status: 'notDone', explanation: 'It did nothing.' },
      { status: 'unknown', explanation: 'ValueError: odd' },
      { status: 'unknown', explanation: 'KeyboardInterrupt: ' },
    ]);
  });

  it('that ended with its program is performed again only if the host clears it again', async () => {
    const { url, proposed } = await clearing();
    const dying = `run.perform("money.send", {"to": "Ada"}, lambda to: os._exit(3))`;
    expect((await runPython(`${setUp}\n${dying}`, [url])).code).toBe(3);
    const again = `print(run.perform("money.send", {"to": "Ada"}, pay).text)`;
    expect(await lines(url, again)).toEqual(['{"paid": 5}', "['Ada 5 sha256:12']"]);
    expect(new Set(proposed.map(({ ref }) => ref)).size).toBe(1);

    const doubting = await clearing({ proposals: [asked] });
    expect(await lines(doubting.url, again)).toEqual([
      'APPROVAL_REQUIRED: it waits for Did it happen?',
      '[]',
    ]);
  });

  it('is not proposed again when the answer was lost: the host would take it for done', async () => {
    const { url, proposed } = await clearing({ proposals: [null, asked] });
    const program = `
for at in (1, 2):
    try:
        print(run.perform("money.send", {"to": "Ada"}, pay).text)
    except Unreachable as error:
        print(type(error).__name__)
`;
    expect(await lines(url, program)).toEqual([
      'Unreachable',
      'APPROVAL_REQUIRED: it waits for Did it happen?',
      '[]',
    ]);
    expect(new Set(proposed.map(({ ref }) => ref)).size).toBe(1);
    expect(proposed).toHaveLength(2);
  });

  it('reports again what was lost, and in short what cannot be kept', async () => {
    const { url, reported } = await clearing({ reports: [null, 200, 413, 200] });
    const program = `
import dataclasses, datetime

@dataclasses.dataclass
class Receipt:
    at: datetime.date

for result in (Receipt(datetime.date(2026, 1, 2)), "large", {("a", "key"): 1}, float("nan")):
    print(run.perform("money.send", {"to": repr(result)}, lambda to: result).text)
`;
    const receipt = { status: 'done', result: { at: '2026-01-02' } };
    expect(await lines(url, program)).toEqual([
      '{"at": "2026-01-02"}',
      '{"agentcharter:notKept": "a str"}',
      '{"agentcharter:notKept": "a dict"}',
      '{"agentcharter:notKept": "a float"}',
      '[]',
    ]);
    expect(reported).toEqual([
      receipt,
      receipt,
      { status: 'done', result: 'large' },
      notKept('str'),
      notKept('dict'),
      notKept('float'),
    ]);
  });

  it('may be a coroutine, which runs in the loop', async () => {
    const { url, reported } = await clearing();
    const program = `
async def main():
    run = await AsyncGuard(sys.argv[1]).run("bills", {})
    loop = asyncio.get_running_loop()

    @run.guarded("money.send")
    async def send(to: str) -> dict:
        done.append(f"{to} {clearance().fence} {asyncio.get_running_loop() is loop}")
        if to == "nobody":
            raise NotDone("No such account.")
        return {"paid": 5}

    print(await asyncio.gather(send("Ada"), send("Bob")))
    try:
        await send("nobody")
    except NotPerformed as error:
        print(error.outcome.text)

asyncio.run(main())
done.sort()
`;
    expect(await lines(url, program)).toEqual([
      "[{'paid': 5}, {'paid': 5}]",
      'NOT_DONE: No such account.',
      "['Ada 7 True', 'Bob 7 True', 'nobody 7 True']",
    ]);
    expect(reported).toHaveLength(3);
  });

  it('has arguments with names', async () => {
    const { url } = await clearing();
    const program = `
for function in (lambda *to: None, lambda **to: None, lambda to, /: None):
    try:
        run.guarded("money.send")(function)
    except TypeError as error:
        print(error)
`;
    expect(await lines(url, program)).toEqual([refusal('*to'), refusal('**to'), refusal('to'), '[]']);
  });
});
