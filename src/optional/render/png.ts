import { loadResvg, refusal } from './peers.ts';

const font = {
  loadSystemFonts: true,
  defaultFontFamily: 'Liberation Sans',
  sansSerifFamily: 'Liberation Sans',
};

const sample = '<svg xmlns="http://www.w3.org/2000/svg"><text y="20" font-family="sans-serif">m</text></svg>';

/**
 * Rasterizes an SVG at twice its size. It uses the fonts of the system, so the bytes differ between machines.
 */
export const png = async (picture: string): Promise<Uint8Array> => {
  const Resvg = await loadResvg();
  if (new Resvg(sample, { font }).getBBox() === undefined)
    throw refusal('', 'needs a font: install one, such as Liberation Sans');
  return new Resvg(picture, { font, fitTo: { mode: 'zoom', value: 2 } }).render().asPng();
};
