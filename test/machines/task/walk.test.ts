import { describe } from 'vitest';
import { walk } from '../walk.ts';

describe('the task chart', () => walk('task'));
