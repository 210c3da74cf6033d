import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createWire } from '../../src/adapters/http/index.ts';
import { webhookNotifier } from '../../src/apps/console/index.ts';
import { createInspector } from '../../src/apps/inspect/index.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { later } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import { newFile } from '../src/stores/folder.ts';
import { openBank } from '../src/guard/bank.ts';
import { errorOf, stopOf, stopped, type Attack } from './attack.ts';
import { vault, type Process, type Vault } from './branch.ts';

const number = 46;
const unsure = { confidence: 0.1 } as const;

/** How the lock of an owner that lives is taken away. */
const thefts: Readonly<Record<string, (site: Vault) => void>> = {
  deleted: ({ file }) => rmSync(`${file}.owner`),
  moved: ({ file }) => renameSync(`${file}.owner`, `${file}.stolen`),
  'replaced by another file': ({ file }) => {
    rmSync(`${file}.owner`);
    writeFileSync(`${file}.owner`, '');
  },
};

/** What the former owner tries. */
const operations: Readonly<
  Record<string, (one: Process, taskId: string, target: string) => Promise<unknown>>
> = {
  'answers a question': ({ orchestrator }, _, target) =>
    orchestrator.respond({ type: 'approve', target }, { by: 'dana' }),
  'begins a task': ({ submit }) => submit(),
  'cancels a task': ({ orchestrator }, taskId) => orchestrator.cancel(taskId, { by: 'dana' }),
  'records a refusal': ({ orchestrator }, taskId) =>
    orchestrator.refuse(taskId, { code: 'POLICY_BLOCKED', explanation: 'because' }),
};

const owners: readonly Attack[] = Object.entries(thefts).flatMap(([theft, steal]) =>
  Object.entries(operations).map(([what, operate]) => ({
    number,
    attempt: `a lock file that is ${theft} while its owner lives: the former owner ${what}`,
    expected: 'store_owned' as const,
    source: 'CWE-667',
    run: async () => {
      const site = vault();
      const former = site.start(unsure);
      const taskId = await former.submit();
      const { message } = await former.question();
      steal(site);
      const latter = site.start(unsure);
      await latter.recover();
      const before = site.rows();
      const stop = stopOf(await errorOf(() => operate(former, taskId, message.messageId)));
      await site.clock.advance(3_600_000);
      expect(site.rows()).toEqual(before);
      expect({ turns: former.turns.length, done: site.done }).toEqual({ turns: 1, done: [] });
      await latter.answer('approve');
      expect(await latter.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(site.done).toHaveLength(1);
      return stop;
    },
  })),
);

const effects: readonly Attack[] = [
  {
    number,
    attempt: 'a lock file that is deleted in the middle of a write: both owners record the outcome',
    expected: 'EFFECT_IN_DOUBT',
    source: 'CWE-667',
    run: async () => {
      const site = vault();
      const outcome = later();
      const former = site.start({ make: () => outcome.promise });
      const taskId = await former.submit();
      rmSync(`${site.file}.owner`);
      const latter = site.start();
      await latter.recover();
      const before = site.rows();
      outcome.resolve({ written: true });
      await settle();
      await site.clock.advance(60_000);
      expect(site.rows()).toEqual(before);
      expect(former.errors).not.toEqual([]);
      for (const error of former.errors) expect(error).toMatchObject({ code: 'store_owned' });
      expect(site.done).toHaveLength(1);
      const doubts = (await site.load(taskId)).records.flatMap(({ fact }) =>
        fact?.type === 'call.doubted' ? [fact.code] : [],
      );
      expect(doubts).toHaveLength(1);
      return doubts[0];
    },
  },
  {
    number,
    attempt: 'a lock file that is deleted: the former owner erases what the latter needs',
    expected: 'store_owned',
    source: 'CWE-667',
    run: async () => {
      const site = vault();
      const former = site.start(unsure);
      const taskId = await former.submit();
      await former.answer('approve');
      await former.orchestrator.settled(taskId);
      const erased = (await site.load(taskId)).records[0]?.documents['request'] ?? '';
      rmSync(`${site.file}.owner`);
      await site.start(unsure).recover();
      const before = site.rows();
      const erase = () => former.orchestrator.erase(taskId, erased, { by: 'dana' });
      const stop = stopOf(await errorOf(erase));
      expect(site.rows()).toEqual(before);
      return stop;
    },
  },
  {
    number,
    attempt: 'the row of an owner that lives, as an older copy of the store had it',
    expected: 'store_owned',
    source: 'CWE-367',
    run: async () => {
      const site = vault();
      const former = site.start(unsure);
      await former.submit();
      const { message } = await former.question();
      site.sql("UPDATE owner SET mark = 'of the copy'"); // the number may well be the same
      const before = site.rows();
      const approve = { type: 'approve', target: message.messageId } as const;
      const stop = stopOf(await errorOf(() => former.orchestrator.respond(approve, { by: 'dana' })));
      expect(site.rows()).toEqual(before);
      expect(site.done).toEqual([]);
      return stop;
    },
  },
];

const secrets: Readonly<Record<string, () => unknown>> = {
  'an empty secret of a webhook': () => webhookNotifier({ url: 'http://127.0.0.1/', secret: '' }),
  'a secret of a webhook that is only its prefix': () =>
    webhookNotifier({ url: 'http://127.0.0.1/', secret: 'whsec_' }),
  'a secret of a webhook whose base64 is none': () =>
    webhookNotifier({ url: 'http://127.0.0.1/', secret: `whsec_${'!'.repeat(32)}` }),
  'an empty token of the HTTP binding': () =>
    createWire(openBank().guard, { identity: () => null, token: '' }),
  'an inspector whose token has no bytes': () => createInspector({ randomBytes: () => new Uint8Array() }),
};

const empty: readonly Attack[] = [
  ...Object.entries(secrets).map(([attempt, run]): Attack => ({
    number,
    attempt,
    expected: 'definition_invalid',
    source: 'CWE-521',
    run: () => stopped(run),
  })),
  {
    number,
    attempt: 'a name of a store that ends before it seems to: NUL',
    expected: 'store_unusable',
    source: 'CWE-158',
    run: () => stopped(() => sqliteStore(`${newFile()}\0.safe`)),
  },
];

export const files = [owners, effects, empty].flat();
