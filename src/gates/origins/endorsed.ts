import * as z from 'zod';
import type { UpFeedback } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { issuesOf } from '../../base/boundary/issues-of.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import type { Issue } from '../../base/errors.ts';
import { hasValueAt } from '../../base/feedback/place.ts';
import type { Source } from './sources.ts';

/** A source for whose values a person stands until the request ends: whole, or below a JSON Pointer. */
export interface Endorsement {
  /** The identifier of the evidence; `null` for the request. */
  readonly evidence: string | null;
  readonly pointer: string;
}

const Endorsed = lazily(() =>
  z.strictObject({
    source: z.string(),
    pointer: z
      .string()
      .regex(/^(?:\/.*)?$/su, 'expected a JSON Pointer: "" or one that begins with /')
      .default(''),
  }),
);

/** Returns what an approval says that it endorses, as it was written. */
const writtenIn = ({ type, content }: UpFeedback): unknown =>
  type === 'approve' && isObject(content) ? content['endorses'] : undefined;

/** Returns whether an approval endorses a source. */
export const isEndorsing = (feedback: UpFeedback): boolean => writtenIn(feedback) !== undefined;

const endorsable = ({ alias, evidence }: Source): boolean => evidence !== undefined || alias === 'request';

/** Returns what an approval endorses, or what is wrong with that; nothing for any other feedback. */
export const endorsementsIn = (
  feedback: UpFeedback,
  sources: readonly Source[],
): { readonly endorsed: readonly Endorsement[]; readonly issues: readonly Issue[] } => {
  const written = writtenIn(feedback);
  if (written === undefined) return { endorsed: [], issues: [] };
  const read = z.array(Endorsed()).min(1).max(100).safeParse(written);
  if (!read.success) return { endorsed: [], issues: issuesOf(read.error) };
  const known = sources.filter(endorsable);
  const issues: Issue[] = [];
  const endorsed = read.data.flatMap(({ source: alias, pointer }, at): readonly Endorsement[] => {
    const source = known.find((one) => one.alias === alias);
    const names = known.map((one) => one.alias);
    if (source === undefined) {
      const message = `unknown source ${JSON.stringify(alias)}: expected one of ${names.join(', ')}${didYouMean(alias, names)}`;
      issues.push({ path: `/${at}/source`, message });
    } else if (!hasValueAt(source.value, pointer))
      issues.push({ path: `/${at}/pointer`, message: `${alias} has nothing at ${JSON.stringify(pointer)}` });
    else return [{ evidence: source.evidence?.evidence_id ?? null, pointer }];
    return [];
  });
  return { endorsed, issues };
};

/** Returns a source whose values are trusted where a person endorsed it, but for what it repeats of its call's arguments. */
export const endorsedSource = (source: Source, endorsements: readonly Endorsement[]): Source => {
  const of = source.evidence?.evidence_id ?? (source.alias === 'request' ? null : undefined);
  const own = endorsements.filter(({ evidence }) => evidence === of);
  if (own.length === 0) return source;
  return {
    ...source,
    at: (pointer, effort, part) => {
      const standing = source.at(pointer, effort, part);
      const isEndorsed = own.some((one) => `${pointer}/`.startsWith(`${one.pointer}/`));
      if (!isEndorsed || standing.isEcho === true) return standing;
      return { label: { ...standing.label, integrity: 'trusted' }, isEndorsed };
    },
  };
};
