import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { UpContext } from '../../../schema/upformat/up-context.ts';
import type { UpThought } from '../../../schema/upformat/up-thought.ts';
import { isNear, segmentsOf } from '../path.ts';
import { Why } from './candidates.ts';

const Conversion = z.discriminatedUnion('kind', [
  /**
   * `rename`: it has another name there. `collect`: arrays in arrays become one. `wrap`: it becomes the one element of an array.
   * `repeat`: it stands in every element. `pick`: the first of several is taken.
   */
  z.strictObject({ kind: z.enum(['rename', 'collect', 'wrap', 'repeat', 'pick']) }),
  z.strictObject({ kind: z.enum(['format', 'unit']), from: z.string(), to: z.string() }),
]);

/** What is done to a value on its way. */
export type Conversion = z.infer<typeof Conversion>;

const Path = z.string().refine((path) => {
  const steps = segmentsOf(path);
  return steps !== undefined && isNear(steps) && steps.every(({ kind }) => kind !== 'any');
}, 'expected a path such as candidates[].email');

const Link = z.strictObject({
  from: Path,
  to: Path,
  score: z.number().min(0).max(1),
  why: z.array(Why).readonly(),
  conversions: z.array(Conversion).readonly(),
});

/**
 * Where one value of the target comes from, why, and how sure that is, from 0 to 1: 0.9 and more where both name the same term, 1
 * where a person chose.
 */
export type Link = z.infer<typeof Link>;

const Mapping = z.strictObject({
  links: z.array(Link).readonly(),
  constants: z.array(z.strictObject({ to: Path, value: z.unknown() })).readonly(),
  target: UpContext,
});

/**
 * How payloads of one context become payloads of another: plain data, so that it can be kept, shown and compared. `constants` are values
 * that a person chose; results are checked against `target`.
 */
export type Mapping = z.infer<typeof Mapping>;

/** A mapping as it comes in, frozen. Throws `input_unreadable` or `document_invalid`. */
export const readMapping = (mapping: unknown): Mapping =>
  parseDocument('mapping', Mapping, frozenCopy(mapping, 'mapping'));

/** A value of the target for which several may stand, or one that is not sure enough. */
export interface Choice {
  readonly to: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The likeliest first, twenty at most. */
  readonly alternatives: readonly Link[];
  /** The one value that can stand there: whether it is true, the source does not say. */
  readonly only?: unknown;
}

/** A required value of the target that nothing in the source may stand for. */
export interface Missing {
  readonly to: string;
  readonly description: string;
}

/** What two contexts come to. UpFormat 2.2, 3.2. */
export type Mediation = {
  /** What is safe. */
  readonly links: readonly Link[];
  /** What a person has to choose; in a mapping, of what may be left out. */
  readonly choices: readonly Choice[];
  readonly missing: readonly Missing[];
  /** The same as an agent says it: whether it can go on, how sure it is, what it asks, what else may be meant (UpFormat 2.2). */
  readonly upThought: UpThought;
} & ({ readonly outcome: 'mapping'; readonly mapping: Mapping } | { readonly outcome: 'ambiguous' | 'none' });
