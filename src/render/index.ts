export { render } from './render.ts';
export type { Rendered, RenderFormat, RenderOptions } from './render.ts';
