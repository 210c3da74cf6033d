export { createInspector } from './inspector.ts';
export type { Inspector } from './inspector.ts';
export type { InspectorOptions } from './options.ts';
export type { Redaction } from './written.ts';
export type { Watched } from './tasks.ts';
