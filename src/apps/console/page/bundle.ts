import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Assets } from '../assets.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Returns the chart and its style. The page's policy allows styles only as files. */
const readChart = async (): Promise<{ readonly svg: string; readonly css: string }> => {
  const text = await readFile(here('../../../../docs/charts/task.svg'), 'utf8');
  const [style = '', css = ''] = /<style>(.*?)<\/style>\n?/s.exec(text) ?? [];
  return { svg: text.replace(style, ''), css };
};

/** Bundles the page into three files. */
export const bundlePage = async (): Promise<Assets> => {
  const { outputFiles } = await build({
    entryPoints: [
      { in: here('main.tsx'), out: 'page' },
      { in: here('style/page.css'), out: 'page' },
    ],
    outdir: here('.'),
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const { svg, css } = await readChart();
  return { 'page.js': textOf('.js'), 'page.css': `${css}${textOf('.css')}`, 'chart.svg': svg };
};
