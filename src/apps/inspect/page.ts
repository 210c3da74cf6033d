import { script } from './page-script.ts';
import { style } from './page-style.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The data of the page's script: the page to frame, its time limit, and the maximum of actors. */
export interface PageData {
  readonly viewer: string | null;
  readonly patience: number;
  readonly actors: number;
}

const markup = ({ viewer, patience, actors }: PageData): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>AgentCharter inspector</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body data-viewer="${escaped(viewer ?? '')}" data-patience="${patience}" data-actors="${actors}">
<header><h1>AgentCharter inspector</h1><p role="status"><noscript>This page needs JavaScript.</noscript></p><p id="unshown" hidden></p><button type="button" id="turn"></button></header>
<iframe title="Stately inspector" hidden></iframe>
<main hidden>
<p id="empty">Loading tasks…</p>
<nav aria-label="Actors"></nav>
<section aria-label="Chart" hidden>
<p><strong role="heading" aria-level="2"></strong> <label>zoom <input type="range" id="zoom" min="25" max="200" step="5" value="100"></label></p>
<div id="view"><div id="chart"></div></div>
<details><summary>Event and snapshot</summary><pre aria-label="Snapshot"></pre></details>
</section>
</main>
</body>
</html>
`;

/** A file of the page. */
interface Page {
  readonly type: string;
  readonly text: string;
}

/** Returns the page and its files, by path. */
export const pagesOf = (data: PageData): Readonly<Record<string, Page>> => ({
  '/': { type: 'text/html', text: markup(data) },
  '/page.js': { type: 'text/javascript', text: script },
  '/page.css': { type: 'text/css', text: style },
});
