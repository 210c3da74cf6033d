import type { Pair } from '../pair.ts';
import { learning } from './learning.ts';
import { libraries } from './libraries.ts';
import { media } from './media.ts';
import { operations } from './operations.ts';
import { payments } from './payments.ts';
import { property } from './property.ts';
import { records } from './records.ts';
import { sensing } from './sensing.ts';
import { software } from './software.ts';
import { travel } from './travel.ts';
import { work } from './work.ts';

/** Pairs that mediation is measured on, and that nobody who works on it has looked at. */
export const kept: readonly Pair[] = [
  ...software,
  ...operations,
  ...work,
  ...media,
  ...libraries,
  ...payments,
  ...travel,
  ...property,
  ...records,
  ...sensing,
  ...learning,
];
