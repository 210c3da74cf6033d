import type { Call, Evidence, Known } from './known.ts';
import type { Clause, Requirements, Subjects } from './vocabulary.ts';

type RecordPayload = Evidence & { readonly tool: string };

/** Evidence that is known, with the tool that brought it: of this attempt's calls and of what was committed. */
export const evidenceOf = (k: Known): readonly RecordPayload[] => [
  ...k.calls.flatMap(({ evidence, tool }) => (evidence === null ? [] : [{ ...evidence, tool }])),
  ...k.effects.flatMap(({ evidence, tool, status }) =>
    evidence === null || status !== 'committed' ? [] : [{ ...evidence, tool }],
  ),
];

const isOfKind = (clause: Clause, one: RecordPayload): boolean =>
  one.type === clause.type &&
  (clause.tool === undefined || one.tool === clause.tool) &&
  (one.empty !== true || clause.allowEmpty === true) &&
  (!one.byPerson || clause.byPerson === true) &&
  (clause.check === undefined || (one.meets ?? []).includes(clause.check));

const subjectUnder = (check: string | undefined, subjects: Subjects = {}): string | undefined =>
  check !== undefined && Object.hasOwn(subjects, check) ? subjects[check] : undefined;

const isAbout = (check: string | undefined, call: Call, one: RecordPayload): boolean => {
  const subject = subjectUnder(check, call.subjects);
  return subject !== undefined && subjectUnder(check, one.subjects) === subject;
};

type Requirement = Requirements['evidence'][number];

/** Whether evidence is enough for one write; where none is made, what it is about cannot be asked. */
const isEnough = (
  requirement: Requirement,
  evidence: readonly RecordPayload[],
  write: Call | null,
): boolean => {
  const clauses = 'anyOf' in requirement ? requirement.anyOf : [requirement];
  return clauses.some((clause) =>
    evidence.some(
      (one) =>
        isOfKind(clause, one) &&
        (clause.ofAction !== true || write === null || isAbout(clause.check, write, one)),
    ),
  );
};

/** What stands against these writes, or a draft, of the evidence that is asked for (UAICP 5.1). */
export const evidenceAgainst = (
  k: Known,
  { evidence }: Requirements,
  writes: readonly Call[],
): readonly string[] => {
  const known = evidenceOf(k);
  const valid = known.filter(({ stale }) => !stale);
  const each = writes.length === 0 ? [null] : writes;
  return evidence.flatMap((requirement) => {
    const lacking = each.filter((write) => !isEnough(requirement, valid, write));
    if (lacking.length === 0) return [];
    const isOld = lacking.every((write) => isEnough(requirement, known, write));
    return [isOld ? 'EVIDENCE_STALE' : 'EVIDENCE_MISSING'];
  });
};
