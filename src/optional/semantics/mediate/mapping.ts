import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { UpContext } from '../../../../schema/upformat/up-context.ts';
import type { UpThought } from '../../../../schema/upformat/up-thought.ts';
import { isWithinLimits, segmentsOf } from '../path.ts';
import { Why } from './candidates.ts';

const Conversion = z.discriminatedUnion('kind', [
  /**
   * `rename`: another name. `collect`: flattens nested arrays. `wrap`: becomes the only element of an array.
   * `repeat`: copied to every element. `pick`: the first of several.
   */
  z.strictObject({ kind: z.enum(['rename', 'collect', 'wrap', 'repeat', 'pick']) }),
  z.strictObject({ kind: z.enum(['format', 'unit']), from: z.string(), to: z.string() }),
]);

/** A conversion of a value. */
export type Conversion = z.infer<typeof Conversion>;

const Path = z.string().refine((path) => {
  const steps = segmentsOf(path);
  return steps !== undefined && isWithinLimits(steps) && steps.every(({ kind }) => kind !== 'any');
}, 'expected a path such as candidates[].email');

const Link = z.strictObject({
  from: Path,
  to: Path,
  score: z.number().min(0).max(1),
  why: z.array(Why).readonly(),
  conversions: z.array(Conversion).readonly(),
});

/**
 * The source of a target value, with reasons and confidence from 0 to 1. It is at least 0.9 for equal terms,
 * and 1 for a person's choice.
 */
export type Link = z.infer<typeof Link>;

const Mapping = z.strictObject({
  links: z.array(Link).readonly(),
  constants: z.array(z.strictObject({ to: Path, value: z.unknown() })).readonly(),
  target: UpContext,
});

/**
 * A mapping between the payloads of two contexts, as plain data. `constants` are values that a person chose.
 * Results are validated against `target`.
 */
export type Mapping = z.infer<typeof Mapping>;

/** Parses and freezes a mapping. Throws `input_unreadable` or `document_invalid`. */
export const readMapping = (mapping: unknown): Mapping =>
  parseDocument('mapping', Mapping, frozenCopy(mapping, 'mapping'));

/** A target value with several possible sources, or an uncertain one. */
export interface Choice {
  readonly to: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** At most twenty, the most likely first. */
  readonly alternatives: readonly Link[];
  /** The only allowed value. The source does not say whether it is true. */
  readonly only?: unknown;
}

/** A required target value without a possible source. */
export interface Missing {
  readonly to: string;
  readonly description: string;
}

/** The result of a mediation. UpFormat 2.2, 3.2. */
export type Mediation = {
  /** The safe links. */
  readonly links: readonly Link[];
  /** The choices for a person; in a mapping, of optional values. */
  readonly choices: readonly Choice[];
  readonly missing: readonly Missing[];
  /** The result as an agent's reasoning: `canProceed`, confidence, question, alternatives (UpFormat 2.2). */
  readonly upThought: UpThought;
} & ({ readonly outcome: 'mapping'; readonly mapping: Mapping } | { readonly outcome: 'ambiguous' | 'none' });
