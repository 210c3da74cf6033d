import type { FactOf } from '../../../machines/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { digest } from '../../base/canonical/digest.ts';
import { isNotKept } from '../../base/canonical/kept.ts';
import type { EvidenceCheck, SameSubject } from '../../base/define/evidence.ts';
import { valueAt } from '../../base/feedback/place.ts';
import type { EvidenceObject } from '../../../schema/index.ts';

type EvidenceSummary = Pick<FactOf<'call.succeeded'>['evidence'], 'empty' | 'meets' | 'subjects'>;

/** Returns whether a payload is empty: `null`, '', [] or {}, what could not be kept, or a list of that alone. */
export const isEmpty = (payload: unknown): boolean =>
  payload === null ||
  payload === undefined ||
  payload === '' ||
  isNotKept(payload) ||
  (Array.isArray(payload) && payload.every(isNotKept)) ||
  (isObject(payload) && Object.keys(payload).length === 0);

/** Returns a member of a result; nothing where reading it throws: what keeps the result says why. */
const memberOf = (result: unknown, name: string): unknown => {
  try {
    return isObject(result) ? result[name] : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns whether a tool marked its result as an error, as MCP does (`isError`). An error is no evidence (UAICP
 * 5.1).
 */
export const isErrorResult = (result: unknown): boolean => memberOf(result, 'isError') === true;

/** Returns what a result that is an error says of it: its text parts, as MCP has them. */
export const errorWords = (result: unknown): string => {
  const parts = memberOf(result, 'content');
  const texts = (Array.isArray(parts) ? parts : [parts]).flatMap((part: unknown) => {
    const text = isObject(part) ? memberOf(part, 'text') : part;
    return typeof text === 'string' ? text : [];
  });
  return texts.join('\n');
};

/** Returns the digest of the value at a JSON Pointer; `undefined` if there is none, or it is `null` or ''. */
const subjectAt = (value: unknown, pointer: string): string | undefined => {
  try {
    const subject = valueAt(value, pointer, '');
    return subject === null || subject === '' ? undefined : digest(subject);
  } catch {
    return undefined;
  }
};

const isAbout = (about: SameSubject | undefined, payload: unknown, request: unknown): boolean => {
  if (about === undefined) return true;
  const found = subjectAt(payload, about.evidence);
  return found !== undefined && ('action' in about || found === subjectAt(request, about.request));
};

const passes = async (
  { type, tool, where, about }: EvidenceCheck,
  { evidence_type, source, payload }: EvidenceObject,
  request: unknown,
): Promise<boolean> => {
  if (evidence_type !== type || (tool ?? source) !== source || !isAbout(about, payload, request))
    return false;
  if (where === undefined) return true;
  const read = await where['~standard'].validate(payload);
  return read.issues === undefined;
};

const named = (
  checks: readonly EvidenceCheck[],
  subjectOf: (about: SameSubject) => string | undefined,
): Record<string, string> =>
  Object.fromEntries(
    checks.flatMap(({ name, about }) => {
      const subject = about === undefined || 'request' in about ? undefined : subjectOf(about);
      return subject === undefined ? [] : [[name, subject]];
    }),
  );

/**
 * Returns which checks the evidence passes, and its subjects.
 *
 * A schema that throws counts as not passed.
 */
export const checkedEvidence = async (
  checks: readonly EvidenceCheck[],
  evidence: EvidenceObject,
  request: unknown,
): Promise<EvidenceSummary> => {
  const verdicts = await Promise.all(
    checks.map((check) => passes(check, evidence, request).catch(() => false)),
  );
  const met = checks.filter((_, at) => verdicts[at]);
  const subjects = named(met, ({ evidence: pointer }) => subjectAt(evidence.payload, pointer));
  return {
    ...(isEmpty(evidence.payload) && { empty: true }),
    ...(met.length > 0 && { meets: met.map(({ name }) => name) }),
    ...(Object.keys(subjects).length > 0 && { subjects }),
  };
};

/** Returns the subjects of a call's arguments, for the checks that compare evidence with them. */
export const subjectsOf = (
  checks: readonly EvidenceCheck[],
  input: unknown,
): { readonly subjects?: Record<string, string> } => {
  const subjects = named(checks, (about) => ('action' in about ? subjectAt(input, about.action) : undefined));
  return Object.keys(subjects).length > 0 ? { subjects } : {};
};
