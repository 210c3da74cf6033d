export { render } from './render.ts';
export type { Rendered, RenderFormat, RenderOptions } from './render.ts';
export type { FactChanges, Facts, Simulation } from './simulation.ts';
