import type { Attack } from './attack.ts';
export const stored: readonly Attack[] = [];
