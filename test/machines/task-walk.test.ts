import { describe } from 'vitest';
import { taskMachine } from '../../machines/index.ts';
import { walk } from './walks.ts';
import { worlds } from './worlds.ts';

describe('the task chart', () => walk(taskMachine, worlds));
