import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { client, pythonEnv } from './python.ts';

/** What `mypy --strict` says of the client and a program that imports it, for the oldest Python that it is for. */
const checked = (program: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'mypy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.py');
  writeFileSync(file, program);
  const options = ['--strict', '--python-version=3.10', '--cache-dir=/dev/null', '--no-error-summary'];
  const { stdout } = spawnSync('mypy', [...options, join(client, 'agentcharter.py'), file], {
    cwd: folder,
    encoding: 'utf8',
    env: pythonEnv(),
  });
  return stdout.trimEnd().replaceAll(`${folder}/`, '').split('\n').filter(Boolean);
};

describe.skipIf(skipWithout(['python', 'mypy']) !== null)('The types of the client for Python', () => {
  it('hold, know each outcome, and find what is wrong in a program', () => {
    const program = `from agentcharter import AsyncGuard, Delivered, Done, Guard, Paused

run = Guard("http://127.0.0.1", token="t").run("bills", {"bill": "b-7"})
outcome = run.call("read", {"of": "x"})
outcome.result
match outcome:
    case Done(result=result):
        print(result)
    case Paused(questions=questions):
        reveal_type(questions)
    case Delivered():
        pass


@run.guarded("pay")
def pay(to: str, cents: int) -> str:
    return to


reveal_type(pay("Ada", cents=5))
pay("Ada", "5")
run.call("read")


async def main() -> None:
    async with AsyncGuard("http://127.0.0.1").run("bills", {}) as same:
        reveal_type((await same.conclude({})).text)
`;
    expect(checked(program)).toEqual([
      ...['Paused', 'Refused', 'Repairing', 'Ended'].map((kind) =>
        expect.stringMatching(new RegExp(`^program.py:5: error: .*"${kind}".* has no attribute "result"`)),
      ),
      expect.stringMatching(/^program\.py:10: note: Revealed type is ".*list\[.*dict\[/),
      'program.py:20: note: Revealed type is "builtins.str"',
      expect.stringMatching(/^program\.py:21: error: Argument 2 .* expected "int"/),
      expect.stringMatching(/^program\.py:22: error: Missing positional argument "arguments"/),
      'program.py:27: note: Revealed type is "builtins.str"',
    ]);
  });
});
