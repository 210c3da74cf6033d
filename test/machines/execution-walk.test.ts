import { describe } from 'vitest';
import { executionMachine } from '../../machines/index.ts';
import { walk } from './walks.ts';
import { worlds } from './worlds.ts';

describe('the execution chart', () => walk(executionMachine, worlds));
