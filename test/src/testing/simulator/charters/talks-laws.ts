import { generateKeyPairSync, sign } from 'node:crypto';
import type { Answers, Law, SimulatedRun } from 'agentcharter/testing';
import type { Fact } from '../../../../../machines/index.ts';
import type { ApprovalClaims } from '../../../../../src/base/ports/approvals.ts';
import type { LedgerRecord } from '../../../../../src/base/ports/ledger.ts';

/** The answer of a person. */
export type Answer = NonNullable<ReturnType<Answers>>;

export const approve: Answer = { type: 'approve' };
export const reject: Answer = { type: 'reject', content: 'no' };
export const again: Answer = { type: 'instruction', content: 'again' };
export const edit = (value: Record<string, unknown>): Answer => ({ type: 'edit', content: { value } });

/** The facts of a run that its chart took. */
export const factsIn = ({ records }: SimulatedRun): readonly Fact[] =>
  records.flatMap(({ kind, fact }) => (kind === 'fact' && fact !== null ? [fact] : []));

/** A law about each fact, and what came before it. */
export const each = (
  name: string,
  holds: (fact: Fact, before: readonly Fact[], run: SimulatedRun) => boolean,
): Law => ({
  name,
  holds: (run) => factsIn(run).every((fact, at, all) => holds(fact, all.slice(0, at), run)),
});

/** Who approved an action, in lower case, since its approvals lapsed last. */
export const approversOf = (digest: string, facts: readonly Fact[]): ReadonlySet<string> => {
  const names = new Set<string>();
  const ids = new Set(
    facts.flatMap((fact) => (fact.type === 'policy.decided' && fact.digest === digest ? fact.call : [])),
  );
  for (const fact of facts) {
    if (fact.type === 'call.refused' && ids.has(fact.call)) names.clear();
    if (fact.type === 'deadline.passed' && fact.of === 'approval' && fact.id === digest) names.clear();
    if (fact.type === 'approval.granted' && fact.digest === digest) names.add(fact.approver.toLowerCase());
    if (fact.type !== 'human.responded' || fact.by === undefined) continue;
    const isEdit = fact.feedback === 'edit' && fact.call?.digest === digest && fact.approves === true;
    const isYes = fact.feedback === 'approve' && fact.question === `approval:${digest}`;
    if (isYes || isEdit) names.add(fact.by.toLowerCase());
  }
  return names;
};

/** The keys of an approval desk, and of a person who signs for herself. */
export const desk = generateKeyPairSync('ed25519');
export const mias = generateKeyPairSync('ed25519');

/** Signs an approval as a desk does, at once, so that an order is the same each time. */
export const signed = (
  kid: string,
  sub: string,
  claims: ApprovalClaims,
  now: number,
  more: object = {},
): string => {
  const at = Math.floor(now / 1_000);
  const payload = {
    iss: 'desk',
    aud: 'agents',
    sub,
    iat: at,
    nbf: at,
    exp: at + 60,
    decision: 'approve',
    ...claims,
  };
  const jti = `${sub}-${claims.action_digest.slice(-8)}-${now}`;
  const encoded = [
    { alg: 'EdDSA', typ: 'approval+jwt', kid },
    { ...payload, jti, ...more },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const key = (kid === 'desk' ? desk : mias).privateKey;
  return [...encoded, sign(null, Buffer.from(encoded.join('.')), key).toString('base64url')].join('.');
};

const tokenOf = ({ brought: { approval } }: LedgerRecord) => {
  const [header = '', payload = ''] = (approval?.token ?? '').split('.');
  const [{ kid }, claims] = [header, payload].map((part) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()),
  );
  return { kid, ...claims } as Readonly<Record<'kid' | 'sub' | 'jti' | 'action_digest', string>> & {
    readonly exp: number;
  };
};

/** The tokens that cleared an action before a record. */
export const tokensFor = (digest: string, before: readonly LedgerRecord[]) =>
  before.flatMap((record) =>
    record.fact?.type === 'approval.granted' && record.kind === 'fact' && record.fact.digest === digest
      ? tokenOf(record)
      : [],
  );

/** A law about each record that begins a call of this action. */
export const eachStart = (
  name: string,
  holds: (digest: string, before: readonly LedgerRecord[], record: LedgerRecord) => boolean,
): Law => ({
  name,
  holds: ({ records }) =>
    records.every((record, at) =>
      record.kind === 'fact' && record.fact?.type === 'call.started'
        ? holds(record.fact.digest, records.slice(0, at), record)
        : true,
    ),
});

const delivers = ({ kind, from, to }: LedgerRecord): boolean =>
  kind === 'fact' && to.startsWith('completed') && !/^(?:completed|followup)/.test(from);

/** A law about what holds when a draft is delivered. */
export const delivery = (name: string, holds: (draft: string, before: readonly Fact[]) => boolean): Law => ({
  name,
  holds: (run) =>
    run.records.every((record, at) => {
      if (!delivers(record)) return true;
      const facts = factsIn({ ...run, records: run.records.slice(0, at + 1) });
      const drafts = facts.flatMap((fact) => {
        if (fact.type === 'draft.proposed') return fact.digest;
        return fact.type === 'human.responded' ? (fact.draft?.digest ?? []) : [];
      });
      return holds(drafts.at(-1) ?? '', facts);
    }),
});

/** Whether a model is sure of what it proposes. */
const isSure = ({
  confidence,
  canProceed,
}: {
  readonly confidence: number | 'unstated';
  readonly canProceed: boolean;
}) => canProceed && confidence !== 'unstated' && confidence > 0.5;

export const isVerified = delivery('what is delivered was verified as it stands', (draft, facts) => {
  let passed = false;
  for (const fact of facts) {
    if (fact.type === 'call.succeeded' || fact.type === 'calls.proposed') passed = false;
    if (fact.type === 'verifier.reported' && fact.of === draft) passed = fact.status === 'pass';
  }
  return passed;
});

export const isSeen = delivery('a person has seen a draft that the model is unsure of', (draft, facts) => {
  let unsure = false;
  for (const fact of facts) {
    if (fact.type === 'draft.proposed' && fact.digest === draft) unsure = !isSure(fact);
    if (fact.type !== 'human.responded') continue;
    if (fact.draft?.digest === draft) unsure = false;
    if (fact.question === `draft:${draft}` && fact.feedback === 'approve') unsure = false;
  }
  return !unsure;
});

/** The facts since the present request began. */
export const inRequest = (facts: readonly Fact[]): readonly Fact[] =>
  facts.slice(facts.findLastIndex(({ type }) => type === 'changes.requested') + 1);

/** The tool of a call. */
export const toolOf = (id: string, facts: readonly Fact[]): string | undefined =>
  facts
    .flatMap((fact) => (fact.type === 'plan.proposed' || fact.type === 'calls.proposed' ? fact.calls : []))
    .find((one) => one.id === id)?.tool;

/** The outputs of a model. */
export const turns: ReadonlySet<Fact['type']> = new Set([
  'plan.proposed',
  'calls.proposed',
  'draft.proposed',
] as const);

/** Returns whether so many are within a limit, and what people let the run have beyond it. */
export const isWithin = (limit: string, most: number, count: number, facts: readonly Fact[]): boolean =>
  count <=
  most *
    (1 +
      facts.filter(
        (fact) =>
          fact.type === 'human.responded' &&
          fact.question === `limit:${limit}` &&
          fact.feedback === 'approve',
      ).length);
