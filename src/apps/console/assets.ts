import { readFile } from 'node:fs/promises';
import { buildRoot } from '../../base/boundary/own-package.ts';

/** The files of the page, by name. */
export type Assets = Readonly<Record<'page.js' | 'page.css' | 'chart.svg', string>>;

/** Bundles the page, for a checkout without a build. */
const bundled = async (): Promise<Assets> => {
  const bundler = new URL('page/bundle.ts', import.meta.url).href;
  const { bundlePage } = (await import(/* @vite-ignore */ bundler)) as {
    bundlePage: () => Promise<Assets>; // a computed name: this module is not shipped
  };
  return bundlePage();
};

const built = async (root: URL): Promise<Assets> => {
  const textOf = (name: string): Promise<string> =>
    readFile(new URL(`src/apps/console/${name}`, root), 'utf8');
  const [script, style, chart] = await Promise.all([
    textOf('page.js'),
    textOf('page.css'),
    textOf('chart.svg'),
  ]);
  return { 'page.js': script, 'page.css': style, 'chart.svg': chart };
};

let loaded: Promise<Assets> | undefined;

/** Returns the built page. Reads it once. */
export const loadAssets = (): Promise<Assets> => {
  const root = buildRoot();
  return (loaded ??= root === null ? bundled() : built(root));
};

/** The HTML document. It has no inline script or style. */
export const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>AgentCharter console</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body><noscript>The console needs JavaScript. It loads no scripts from other hosts.</noscript></body>
</html>
`;

/** The icon: a chart of three states. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 4v4M8 8l-4 4M8 8l4 4" stroke="#1d4ed8" stroke-width="1.5"/><circle cx="8" cy="3.5" r="2.5" fill="#1d4ed8"/><circle cx="3.5" cy="12.5" r="2.5" fill="#15803d"/><circle cx="12.5" cy="12.5" r="2.5" fill="#b91c1c"/></svg>
`;
