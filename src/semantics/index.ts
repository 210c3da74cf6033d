export { deriveContext } from './derive/derive.ts';
export type { ContextHints } from './derive/derive.ts';
