import { writeSync } from 'node:fs';
import { isCharterError } from '../../../../src/errors.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { deadlineOf, evidence, saying, stepOf } from '../steps.ts';

/** Another process: each line that it says is one thing that it was told is done. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

const [, , work, file = '', taskId = ''] = process.argv;
const store = sqliteStore(file);

const own = async (): Promise<string> => {
  try {
    await store.own();
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
    say(answer === 'ok' ? `${seq}` : answer);
  }
};

if (work === 'own') {
  say(await own());
  setInterval(() => {}, 1000);
}
if (work === 'write') await write();
if (work === 'one') say(await store.commit(stepOf(0, { taskId })));
