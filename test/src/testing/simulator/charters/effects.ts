import { defineTaskClass, defineTaskTool, defineVerifier } from 'agentcharter';
import { z } from 'zod';
import type { ApprovalClaims } from '../../../../../src/base/ports/approvals.ts';
import type { LedgerRecord } from '../../../../../src/base/ports/ledger.ts';
import type { Tool } from '../../../../../src/base/ports/tool.ts';
import type { Law } from '../../../../../src/testing/simulator/laws.ts';
import { allow, people, reading, request, writing } from './basic.ts';

const [second, minute] = [1_000, 60_000];
const input = z.object({ order: z.string() });
const order = { order: 'o-7' };

const calls = (...tools: readonly string[]) => ({
  calls: tools.map((tool) => ({ tool, arguments: order })),
});

interface Asked {
  readonly asks: string;
  readonly taskClass: string;
  readonly attempt: number;
}

interface Refusing {
  readonly notDone: (words: string) => unknown;
}

/** The answer of a tool that refuses at times, so that what was done before is undone. */
const fickle = (
  _input: unknown,
  { notDone }: Refusing,
  choose: <One>(some: readonly [One, ...One[]]) => One,
) => (choose([true, false]) ? notDone('no funds') : { ok: true });

/** A tool whose calls are given up soon, so that some land late. */
const hasty = <Of extends Tool>(tool: Of): Of => ({ ...tool, deadline: second });

const timeOf = ({ timestamp }: LedgerRecord): number => Date.parse(timestamp);

/** Returns the actions of a task that its run knows to have happened, in order, and those that it began to undo, with their last places before. */
const doneAndUndone = (records: readonly LedgerRecord[]) => {
  const digests = new Map<string, string>();
  const done: string[] = [];
  const undone: { readonly kind: string; readonly digest: string; readonly place: number }[] = [];
  for (const { kind, fact } of records) {
    if (fact?.type === 'call.started') digests.set(fact.call, fact.digest);
    if (kind === 'fact' && fact?.type === 'call.succeeded') done.push(digests.get(fact.call) ?? '');
    if (fact?.type === 'rollback.started')
      undone.push({ kind, digest: fact.digest, place: done.lastIndexOf(fact.digest) });
  }
  return { done, undone };
};

const ofEachTask = (records: readonly LedgerRecord[]): readonly (readonly LedgerRecord[])[] =>
  [...new Set(records.map(({ taskId }) => taskId))].map((id) =>
    records.filter(({ taskId }) => taskId === id),
  );

const newestFirst: Law = {
  name: 'what was done is undone, the newest first',
  holds: ({ records }) =>
    ofEachTask(records).every((all) => {
      const { undone } = doneAndUndone(all);
      // as a run, and after its end
      return ['fact', 'orphan'].every((as) => {
        const places = undone.flatMap(({ kind, place }) => (kind === as && place >= 0 ? [place] : []));
        return places.every((place, at) => at === 0 || place < (places[at - 1] ?? 0));
      });
    }),
};

/** What stands in the end of a task that delivers: a write of each of these tools, and nothing else. */
const stands = (...tools: readonly string[]): Law => ({
  name: 'what a task delivers stands, and nothing else',
  holds: ({ settled: { outcome }, effects }) => {
    if (outcome !== 'success') return true;
    const left = effects.filter(
      ({ kind, key }, at) =>
        kind === 'call' && !effects.slice(at).some((other) => other.key === `rollback:${key}`),
    );
    return (
      left
        .map(({ tool }) => tool)
        .toSorted()
        .join() === tools.toSorted().join()
    );
  },
});

const isOnce: Law = {
  name: 'a request is taken once',
  holds: ({ records }) =>
    records.filter(({ brought: { request: taken } }) => taken !== undefined && taken.parent === undefined)
      .length === 1,
};

const isUndone: Law = {
  name: 'a task that fails begins to undo all that it made',
  holds: ({ settled: { outcome }, records }) =>
    outcome === 'success' ||
    ofEachTask(records).every((all) => {
      const { done, undone } = doneAndUndone(all);
      const late = all.flatMap(({ fact }) =>
        fact?.type === 'deadline.passed' && fact.of === 'rollback' ? [fact.id] : [],
      ); // the store may take longer than a rollback
      return done.every((digest) => undone.some((one) => one.digest === digest) || late.includes(digest));
    }),
};

const isNoLongerBegun: Law = {
  name: 'no write begins once its task fails',
  holds: ({ records }) =>
    ofEachTask(records).every((all) => {
      const end = all.findIndex(({ to }) => to.includes('undoing.stop'));
      return (
        end < 0 ||
        all
          .slice(end + 1)
          .every(
            ({ kind, fact, brought: { recovery } }) =>
              kind !== 'fact' ||
              (fact?.type !== 'call.started' &&
                (recovery?.effect !== 'call' || recovery.resolution !== 'repeated')),
          )
      );
    }),
};

/** Writes that are given up soon, so that some land late. */
const late = {
  charter: {
    taskClasses: [
      defineTaskClass({
        id: 'late',
        tools: ['book', 'pay', 'note', 'send', 'last'],
        deadlines: { rollback: second },
        output: z.object({}),
      }),
    ],
    tools: [
      hasty(writing('book', 'reconcilable')),
      hasty(writing('pay', 'unsafe')),
      hasty(writing('note', 'idempotent')),
      hasty(writing('send', 'reconcilable')),
      hasty(writing('last', 'unsafe')),
    ],
    policy: allow,
  },
  given: {
    request: request('late'),
    model: ({ asks }: Asked) =>
      asks === 'plan' ? calls('book', 'pay', 'note', 'send', 'last') : { payload: {} },
    tools: { last: fickle },
    people,
    laws: [newestFirst, stands('book', 'pay', 'note', 'send', 'last'), isOnce, isUndone, isNoLongerBegun],
  },
} as const;

/** A task that is a call of another, and is undone with it. */
const nested = {
  charter: {
    taskClasses: [
      defineTaskClass({ id: 'nested', tools: ['note', 'deliver', 'close'], output: z.object({}) }),
      defineTaskClass({ id: 'delivery', tools: ['pack', 'post'], output: z.object({}) }),
    ],
    tools: [
      writing('note', 'idempotent'),
      defineTaskTool({
        name: 'deliver',
        description: 'Delivers an order.',
        tier: 'write_low_risk',
        input,
        taskClass: 'delivery',
        request: (given) => ({ payload: given }),
      }),
      writing('close', 'unsafe'),
      writing('pack', 'reconcilable'),
      writing('post', 'unsafe'),
    ],
    policy: allow,
  },
  given: {
    request: request('nested'),
    model: ({ asks, taskClass }: Asked) => {
      if (asks !== 'plan') return { payload: {} };
      return taskClass === 'delivery' ? calls('pack', 'post') : calls('note', 'deliver', 'close');
    },
    tools: { close: fickle },
    people,
    laws: [newestFirst, stands('note', 'pack', 'post', 'close'), isOnce, isUndone],
  },
} as const;

const secondDraft = defineVerifier({
  id: 'second draft',
  verify: ({ value }) => ({
    checks: [
      { check_id: 'is the second', result: JSON.stringify(value).includes('"draft":0') ? 'fail' : 'pass' },
    ],
  }),
});

/** A second plan that keeps one write of the first, names it twice, and leaves one out. */
const mended = {
  charter: {
    taskClasses: [
      defineTaskClass({
        id: 'mended',
        tools: ['keep', 'drop', 'add'],
        beforeDeliver: { verifiers: ['second draft'] },
        output: z.object({ draft: z.number() }),
      }),
    ],
    tools: [writing('keep', 'unsafe'), writing('drop', 'unsafe'), writing('add', 'reconcilable')],
    verifiers: [secondDraft],
    policy: allow,
  },
  given: {
    request: request('mended'),
    model: ({ asks, attempt }: Asked) => {
      if (asks !== 'plan') return { payload: { draft: attempt } };
      return attempt === 0 ? calls('keep', 'drop', 'keep') : calls('keep', 'add');
    },
    people,
    laws: [stands('keep', 'add'), isOnce],
  },
} as const;

interface Signed {
  readonly by: string;
  readonly name: string;
  readonly expiresAt: number;
}

const signing =
  (by: string, nameOf: (claims: ApprovalClaims) => string) =>
  (claims: ApprovalClaims, now: number): string =>
    JSON.stringify({ by, name: nameOf(claims), expiresAt: now + 60 * minute } satisfies Signed);

/** A tool whose calls are held: their arguments come from an untrusted request. */
const held = <Of extends Tool>(tool: Of): Of => ({ ...tool, flows: { '/order': { integrity: 'trusted' } } });

/** Writes that need signed approvals; one of the people signs all with one name. */
const signed = {
  charter: {
    taskClasses: [defineTaskClass({ id: 'signed', tools: ['pay', 'send'], output: z.object({}) })],
    tools: [held(writing('pay', 'reconcilable')), held(writing('send', 'idempotent'))],
    policy: allow,
    approvals: {
      verify: async (token: string, _claims: ApprovalClaims, now: number) => {
        const { by, name, expiresAt } = JSON.parse(token) as Signed; // as it was signed below
        return expiresAt > now
          ? { approver: by, jti: name, expiresAt }
          : ({ refused: 'APPROVAL_EXPIRED', explanation: 'it expired' } as const);
      },
    },
  },
  given: {
    request: { ...request('signed'), label: { integrity: 'untrusted' } },
    model: ({ asks }: Asked) => (asks === 'plan' ? calls('pay', 'send') : { payload: {} }),
    people: [
      { by: 'dana', approval: signing('dana', ({ action_digest: action }) => action) },
      { by: 'erin', approval: signing('erin', () => 'always') },
    ],
    laws: [isOnce],
  },
} as const;

const isAskedInTime: Law = {
  name: 'a question keeps its hour',
  holds: ({ records }) =>
    records.every((record) => {
      const { fact, taskId } = record;
      if (fact?.type !== 'deadline.passed' || fact.of !== 'question') return true;
      const asked = records.findLast(
        (one) =>
          one.taskId === taskId && (one.fact?.type === 'policy.decided' || one.fact?.type === 'call.doubted'),
      );
      return asked !== undefined && timeOf(record) - timeOf(asked) <= 7 * minute;
    }),
};

/** A question that no one answers, while evidence ages. */
const unheard = {
  charter: {
    taskClasses: [
      defineTaskClass({
        id: 'unheard',
        tools: ['find', 'note', 'refund'],
        authorities: ['human'],
        deadlines: { question: 6 * minute },
        maxAge: 2 * minute,
        output: z.object({}),
      }),
    ],
    tools: [reading('find'), writing('note', 'unsafe'), writing('refund', 'unsafe', 'write_high_risk')],
    policy: allow,
  },
  given: {
    request: request('unheard'),
    model: ({ asks }: Asked) => (asks === 'plan' ? calls('find', 'note', 'refund') : { payload: {} }),
    laws: [isAskedInTime],
  },
} as const;

/** Charters in which effects meet what else may happen to them. */
export const effects = { late, nested, mended, signed, unheard } as const;
