import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredTask } from 'agentcharter/stores';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { createKeys } from '../../../docs/examples/finance/desk.ts';
import { connect } from '../../../src/stores/sqlite/connection.ts';
import type { CourseName } from './courses.ts';
import { Victim, type Lived } from './process.ts';
import { newFolder, type Program } from './program.ts';
import type { Asked } from './request.ts';
import { ToolServer, type Done, type Planted } from './server.ts';

/** How a life ends: at the boundary of this number, or after so many milliseconds. */
export type End = { readonly boundary: number } | { readonly after: number };

/** What a trial tries: one process after another, until the workflow has ended. */
export interface Story {
  readonly course: CourseName;
  readonly ends: readonly End[];
  /** How much of a transaction is in the log where it is cut: 0 to 1, exclusively. */
  readonly cut: number;
}

/** What was left when the workflow had ended. */
export interface Outcome {
  readonly story: Story;
  readonly lives: readonly Lived[];
  readonly tasks: readonly StoredTask[];
  readonly integrity: readonly unknown[];
  readonly done: readonly Done[];
  readonly repeated: number;
  readonly broken: readonly string[];
}

const mostLives = 12;

const { signing: desk } = createKeys('desk-1');

const rowsIn = (file: string, sql: string): readonly object[] => {
  const connection = connect(file, 5_000);
  try {
    return connection.rows(sql);
  } finally {
    connection.close();
  }
};

/**
 * Whether there is an intent on record, by a copy of the file as it stands: a connection of ours would keep the next
 * process from being the first, which is the one that reads the log anew.
 */
const isIntended = async (file: string, { kind, key }: Asked): Promise<boolean> => {
  const folder = newFolder();
  const copy = join(folder, 'tasks.db');
  try {
    for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
    return (await tasksIn(copy))
      .flatMap(({ intents }) => intents)
      .some((intent) => intent.kind === kind && intent.key === key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Cuts off the end of the log, as if the process had been killed while it wrote its last transaction: frames are
 * appended one after the other, and without the last one none of them counts.
 */
const tear = (file: string, { lines }: Lived, cut: number): void => {
  const last = lines.at(-1);
  if (last?.says !== 'log') return;
  const log = `${file}-wal`;
  const { size } = statSync(log);
  if (size > last.bytes) truncateSync(log, last.bytes + Math.floor((size - last.bytes) * cut));
};

const tasksIn = async (file: string): Promise<readonly StoredTask[]> => {
  const store = sqliteStore(file);
  try {
    const taskIndex = await store.taskIndex();
    const tasks = await Promise.all(taskIndex.map(({ taskId }) => store.load(taskId)));
    return tasks.flatMap((task) => task ?? []);
  } finally {
    await store.close();
  }
};

/** Runs a workflow in one process after another; throws where it does not end. */
export const runTrial = async (program: Program, story: Story, planted: Planted = {}): Promise<Outcome> => {
  const folder = newFolder();
  const file = join(folder, 'tasks.db');
  const lives: Lived[] = [];
  let victim: Victim | undefined;
  const server = new ToolServer(
    planted,
    (asked) => isIntended(file, asked),
    async () => victim?.kill(),
  );
  try {
    const url = await server.open();
    for (;;) {
      const end = story.ends[lives.length];
      const diesAt = end !== undefined && 'boundary' in end ? end.boundary : null;
      const { hidesIntents = false } = planted;
      const life = { course: story.course, file, server: url, desk, diesAt, hidesIntents };
      victim = new Victim(program, life, end !== undefined && 'after' in end ? end.after : null);
      const lived = await victim.lived();
      lives.push(lived);
      if (!lived.wasKilled) break;
      if (lives.length > mostLives) throw new Error('a workflow does not end');
      tear(file, lived, story.cut);
    }
    const integrity = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
      rowsIn(file, `PRAGMA ${check}`),
    );
    const { done, repeated, broken } = server;
    return { story, lives, tasks: await tasksIn(file), integrity, done, repeated, broken };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
