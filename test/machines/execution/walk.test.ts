import { describe } from 'vitest';
import { walk } from '../walk.ts';

describe('the execution chart', () => walk('execution'));
