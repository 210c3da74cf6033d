export { applyFeedback } from './apply.ts';
export type { Applied, Remark } from './apply.ts';
export { rankAlternatives } from './rank.ts';
export { byPriority, bySeverity } from './weight.ts';
export type { Weighed } from './weight.ts';
