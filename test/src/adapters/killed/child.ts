import { once } from 'node:events';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { subjectOf } from '../subjects.ts';
import { script } from './script.ts';
import { beginRun, openHouse, Backend } from '../backend.ts';

const [name = '', file = ''] = process.argv.slice(2);
const house = await openHouse(await subjectOf(name), new Backend(() => sqliteStore(file)));
const run = await beginRun(house);
const stop = await house.opened.begin({ run, script });
process.stdout.write(`${JSON.stringify({ taskId: run.taskId, stop })}\n`);
await once(process, 'never'); // it is killed here
