import { test } from 'vitest';
import { behaviours } from '../suite.ts';
import { subject } from './subject.ts';

test.each(behaviours)('$sentence', ({ show }) => show(subject));
