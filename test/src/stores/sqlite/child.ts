import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { deadlineOf, erasureOf, evidence, saying, stepOf, takeTasks } from '../steps.ts';

/** Another process: it prints one line for each command that it has completed. */
const print = (line: string): void => void writeSync(1, `${line}\n`);

const [, , work, file = '', taskId = ''] = process.argv;
const store = sqliteStore(file);

const own = async (): Promise<string> => {
  try {
    await takeTasks(store);
    return 'owned';
  } catch (error) {
    return isCharterError(error) ? error.code : 'broken';
  }
};

const write = async (): Promise<never> => {
  for (let seq = 0; ; seq += 1) {
    const emissions = [saying(`${taskId} ${seq}`)];
    const given = {
      brought: { evidence },
      emissions,
      deadlines: [deadlineOf('a', seq)],
      key: `${taskId} ${seq}`,
    };
    const answer = await store.commit(stepOf(seq, { taskId, ...given }));
    print(answer === 'ok' ? `${seq}` : answer);
  }
};

if (work === 'own') {
  print(await own());
  setInterval(() => {}, 1000);
}
if (work === 'owner') {
  print(await own());
  const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
    commit: () => store.commit(stepOf(0, { taskId })),
    erase: () => store.erase(erasureOf(1, digest(evidence)), digest(evidence)),
    own: () => takeTasks(store),
  };
  createInterface(process.stdin).on('line', (line) => {
    attempts[line]?.().then(
      (answer) => print(String(answer)),
      (error: unknown) => print(isCharterError(error) ? error.code : 'broken'),
    );
  });
}
if (work === 'write') await write();
if (work === 'one') print(await store.commit(stepOf(0, { taskId })));
