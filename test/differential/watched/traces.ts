import { expect } from 'vitest';
import {
  EvidenceObject,
  MessageEnvelope,
  UpFormatMessage,
  VerificationReport,
} from '../../../schema/index.ts';
import type { Step } from '../../../src/base/ports/store.ts';
import type { TracedStep } from '../hours.ts';
import { partingOf } from '../trace.ts';

interface Node extends TracedStep {
  readonly hash: string;
  readonly before: Node | null;
  /** The test that wrote it. */
  readonly test: string;
  isContinued: boolean;
  readonly isSettled: boolean;
  /** The documents that do not fit their schemas. */
  readonly malformed: readonly string[];
  /** The model and the ledger part at this step, or before it. */
  isFaulty: boolean;
}

/** Steps by the hash of their record, as long as their ledger goes on. */
const open = new Map<string, Node>();
const partings: string[] = [];
const seen = { ledgers: 0, steps: 0 };

const wayTo = (last: Node): readonly Node[] => {
  const way: Node[] = [];
  for (let node: Node | null = last; node !== null; node = node.before) way.push(node);
  return way.toReversed();
};

const judge = (last: Node): void => {
  const way = wayTo(last);
  if (last.before?.isSettled !== true) seen.ledgers += 1;
  seen.steps += last.before?.isSettled === true ? 1 : way.length;
  if (last.before?.isFaulty === true) {
    last.isFaulty = true;
    return;
  }
  // a step that a test makes by hand opens no task under a contract
  const isEngines = way[0]?.record.brought.contract !== undefined;
  const [fault] = isEngines ? way.flatMap(({ malformed: faults }) => faults) : [];
  const parting = fault ?? partingOf(way);
  if (parting === null) return;
  last.isFaulty = true;
  partings.push(`${last.test}: ${parting}`);
};

const schemas = {
  UpFormatMessage,
  ReceivedMessage: UpFormatMessage,
  MessageEnvelope,
  EvidenceObject,
  VerificationReport,
};

/** Says which documents of a step do not fit their schemas: the engine does not parse its own. */
const malformed = ({ record, emissions }: Pick<Step, 'record' | 'emissions'>): readonly string[] =>
  emissions.flatMap(({ name, document }) => {
    const { success, error } = schemas[name].safeParse(document);
    return success ? [] : [`${name} of record ${record.seq} does not fit its schema: ${error.message}`];
  });

/** A step as it was written: what is read of it, and not its documents. */
const nodeOf = ({ record, emissions, deadlines, indexEntry }: Step, before: Node | null): Node => {
  const { seq, kind, fact, from, to, timestamp, request_id, hash, brought } = record;
  const { contract, chart } = brought;
  return {
    record: {
      seq,
      kind,
      fact,
      from,
      to,
      timestamp,
      request_id,
      brought: { ...(contract && { contract }), ...(chart !== undefined && { chart }) },
    },
    deadlines,
    hash,
    before,
    test: expect.getState().currentTestName ?? 'a test',
    isContinued: false,
    isSettled: indexEntry.isSettled,
    malformed: malformed({ record, emissions }),
    isFaulty: false,
  };
};

/**
 * Notes a step that a store has written. A ledger is judged once it has settled, and again with each record that comes late;
 * one whose beginning no one saw is not.
 */
export const note = (step: Step): void => {
  const { previous, seq } = step.record;
  const before = previous === null ? null : (open.get(previous) ?? null);
  if (before === null && seq > 0) return;
  const node = nodeOf(step, before);
  if (before !== null) before.isContinued = true;
  open.set(node.hash, node);
  if (node.isSettled) judge(node);
};

/** Forgets the ledgers that have settled: no record comes late any more. */
export const forgetSettled = (): void => {
  for (const node of open.values())
    if (node.isSettled && !node.isContinued) for (const { hash } of wayTo(node)) open.delete(hash);
};

/** Judges the ledgers that have not settled, and forgets them. */
export const judgeOpen = (): void => {
  for (const node of open.values()) if (!node.isContinued && !node.isSettled) judge(node);
  open.clear();
};

/** Forgets everything: what a test plants in a ledger on purpose is no finding. */
export const forgetTraces = (): void => {
  open.clear();
  partings.length = 0;
};

/** Returns what was found since the last time. */
export const takePartings = (): readonly string[] => partings.splice(0);

/** How many ledgers this worker has judged, and how many steps they had. */
export const judged = (): Readonly<typeof seen> => seen;
