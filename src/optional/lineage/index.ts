export { lineageMeaning } from './findings.ts';
export type { LineageCode, LineageFinding } from './findings.ts';
export { fromJsonLines, toJsonLines } from './json-lines.ts';
export { lineageOf } from './lineage.ts';
export type { Lineage, LineageNode, LineageThread } from './lineage.ts';
export { toMermaid } from './mermaid.ts';
