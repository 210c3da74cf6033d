export { deriveContext } from './derive.ts';
export type { ContextHints } from './derive.ts';
