import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { Identifier, JsonPointer } from '../../../schema/index.ts';
import { deepFreeze, ownCopy } from '../canonical/deep-freeze.ts';
import type { Flows, Labels } from '../ports/origin.ts';
import type { Tool } from '../ports/tool.ts';

const Readers = z.union([z.literal('anyone'), z.array(Identifier).readonly()]);

/** The schema of a label, of which any member may be left out. */
export const LabelDefinition = lazily(() =>
  z.strictObject({ integrity: z.enum(['trusted', 'untrusted']), readers: Readers }).partial(),
);

/** The schema of labels by JSON Pointer. */
export const LabelsDefinition = lazily(() => z.record(JsonPointer, LabelDefinition()));

/** The schema of what arguments may come from, by JSON Pointer. */
export const FlowsDefinition = lazily(() => {
  const flow = z
    .strictObject({
      integrity: z.literal('trusted'),
      from: z.array(Identifier).min(1),
      choice: z.literal('any'),
      readers: z.union([JsonPointer, z.array(JsonPointer).min(1)]),
    })
    .partial()
    .refine(({ choice, integrity }) => choice === undefined || integrity !== undefined, {
      path: ['choice'],
      message: 'has no effect alone: expected integrity: "trusted" beside it',
    });
  return z.record(JsonPointer, z.union([flow, z.array(flow).min(1)]));
});

/** Returns what a tool declares of its names, its result and its arguments, as copies that its author cannot change. */
export const declaredTerms = ({
  formerly,
  labels,
  flows,
  isHidden,
  isForeign,
}: {
  readonly formerly?: readonly string[] | undefined;
  readonly labels?: Labels | 'arguments' | undefined;
  readonly flows?: Flows | undefined;
  readonly isHidden?: true | undefined;
  readonly isForeign?: boolean | undefined;
}): Pick<Tool, 'formerly' | 'labels' | 'flows' | 'isHidden' | 'isForeign'> => ({
  ...(formerly !== undefined && { formerly: Object.freeze([...formerly]) }),
  ...(labels !== undefined && { labels: labels === 'arguments' ? labels : deepFreeze(ownCopy(labels)) }),
  ...(flows !== undefined && { flows: deepFreeze(ownCopy(flows)) }),
  ...(isHidden === true && { isHidden }),
  ...(isForeign === true && { isForeign }),
});
