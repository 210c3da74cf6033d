/**
 * The script of the page. It forwards messages to the framed inspector, or shows them itself if that does not
 * respond. It never parses a message as HTML. A picture is parsed as SVG, under a policy without inline
 * scripts.
 */
export const script = String.raw`'use strict';
const { viewer, patience, actors: limit } = document.body.dataset;
const part = (selector) => document.querySelector(selector);
const [statusLine, turn, frame, own] = ['[role=status]', '#turn', 'iframe', 'main'].map(part);
const [list, heading, detail, zoom] = ['nav', '[role=heading]', 'pre', '#zoom'].map(part);
const [section, view, empty, unshownLine] = ['section', '#view', '#empty', '#unshown'].map(part);
const chart = part('#chart').attachShadow({ mode: 'open' });
const marks =
  'svg { display: block; height: auto } ul { padding-inline-start: 1.2rem }' +
  'li.active > span { outline: 2px solid Highlight; border-radius: 4px }';

const actors = new Map();
let chosen;
let drawn;
let shown;
let source;
let isDue = false;
let isGreeted = false;
let unshown = 0;

const showStatus = (words) => { statusLine.textContent = words; };
const pathsOf = (value, at = '') =>
  typeof value === 'string'
    ? [at + value]
    : Object.entries(value ?? {}).flatMap(([name, below]) => [at + name, ...pathsOf(below, at + name + '.')]);
const stateOf = ({ status, value }) => {
  const paths = pathsOf(value);
  const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(path + '.')));
  return leaves.length === 0 ? status : leaves.join(', ') + (status === 'active' ? '' : ' (' + status + ')');
};

const listOf = (states, at = '') => {
  const names = document.createElement('ul');
  for (const [name, state] of Object.entries(states ?? {})) {
    const item = document.createElement('li');
    const label = document.createElement('span');
    item.dataset.state = at + name;
    label.textContent = name;
    item.append(label);
    if (state?.states) item.append(listOf(state.states, at + name + '.'));
    names.append(item);
  }
  return names;
};

const sheetOf = (css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
};

/** Returns a picture and its styles; null for other text. The page's policy allows styles only as sheets. */
const pictureOf = (text) => {
  const styles = [];
  const bare = text.replaceAll(/<style[^>]*>([^]*?)<\/style>/g, (_, css) => { styles.push(sheetOf(css)); return ''; });
  const parsed = new DOMParser().parseFromString(bare, 'image/svg+xml');
  const isPicture = parsed.documentElement.localName === 'svg' && !parsed.querySelector('parsererror');
  return isPicture ? { styles, root: parsed.documentElement } : null;
};

const drawChart = async (actor) => {
  drawn = actor;
  const response = await fetch('chart?actor=' + encodeURIComponent(actor.sessionId));
  const text = await response.text();
  if (drawn !== actor) return;
  const picture = response.ok ? pictureOf(text) : null;
  const { styles, root } = picture ?? { styles: [], root: listOf(actor.definition.states) };
  chart.adoptedStyleSheets = [...styles, sheetOf(marks)];
  chart.replaceChildren(root);
  shown = undefined;
  resize();
  mark(actor);
};

const mark = (actor) => {
  const { id } = actor.definition;
  const paths = pathsOf(actor.snapshot.value);
  const active = new Set([id, ...paths, ...paths.map((path) => id + '.' + path)]);
  for (const state of chart.querySelectorAll('[data-state]'))
    state.classList.toggle('active', active.has(state.dataset.state));
  const innermost = [...chart.querySelectorAll('.active')].at(-1);
  if (innermost !== shown) innermost?.scrollIntoView({ block: 'center', inline: 'center' });
  shown = innermost;
};

const resize = () => {
  const picture = chart.querySelector('svg');
  if (picture) picture.style.width = Number(picture.getAttribute('width')) * Number(zoom.value) / 100 + 'px';
};

/** Lists the newest actor first, and what an actor started below it. */
const place = ({ button, parentId }) => {
  const parent = actors.get(parentId)?.button;
  if (parent?.isConnected) parent.after(button);
  else list.prepend(button);
};

const draw = () => {
  isDue = false;
  for (const actor of actors.values()) {
    if (!actor.button.isConnected) place(actor);
    actor.button.textContent = actor.name + ': ' + stateOf(actor.snapshot);
  }
  for (const button of list.children) button.setAttribute('aria-pressed', 'false');
  const actor = actors.get(chosen) ?? [...actors.values()].find(({ button }) => button === list.firstChild);
  section.hidden = !actor;
  empty.hidden = Boolean(actor);
  empty.textContent = (unshown === 0 ? 'No task yet: a' : 'A') + ' new task appears here when it begins.';
  if (!actor) return;
  chosen = actor.sessionId;
  actor.button.setAttribute('aria-pressed', 'true');
  heading.textContent = actor.name + ': ' + stateOf(actor.snapshot);
  detail.textContent = JSON.stringify({ event: actor.event, snapshot: actor.snapshot }, null, 2);
  if (drawn === actor) mark(actor);
  else drawChart(actor).catch(() => showStatus('The chart cannot be drawn.'));
};

const drawSoon = () => {
  if (isDue || !isGreeted) return;
  isDue = true;
  requestAnimationFrame(draw);
};

/** Keeps the actors that changed last: twice as many as the process keeps, so that none is missing. */
const keep = (actor) => {
  actors.delete(actor.sessionId);
  actors.set(actor.sessionId, actor);
  const [oldest] = actors.values();
  if (actors.size <= 2 * Number(limit)) return;
  actors.delete(oldest.sessionId);
  oldest.button.remove();
};

const take = ({ type, sessionId, parentId, name, definition, snapshot, event }) => {
  const known = actors.get(sessionId);
  if (type === '@xstate.actor') {
    const button = known?.button ?? document.createElement('button');
    button.type = 'button';
    button.onclick = () => { chosen = sessionId; drawSoon(); };
    keep({ sessionId, parentId, name, definition: JSON.parse(definition), snapshot, button });
  } else if (known) {
    known.event = event;
    if (snapshot) known.snapshot = snapshot;
    keep(known);
  }
  drawSoon();
};

/** Shows how many tasks are missing. The count is sent after all actors, so the page can be drawn now. */
const showUnshown = (count) => {
  unshown = count;
  isGreeted = true;
  unshownLine.hidden = count === 0;
  unshownLine.textContent = 'Not shown: ' + count + ' older or unreadable ' + (count === 1 ? 'task' : 'tasks');
  drawSoon();
};

const follow = (handle, words) => {
  source?.close();
  source = new EventSource('events');
  source.onopen = () => {
    for (const { button } of actors.values()) button.remove();
    actors.clear();
    showStatus(words);
    isGreeted = false;
  };
  source.addEventListener('unshown', ({ data }) => showUnshown(Number(data)));
  source.onerror = () => showStatus('The process does not answer.');
  source.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    handle(message);
    if (message.type !== '@statelyai.disconnected') return;
    source.close();
    showStatus('The inspector was closed.');
  };
};

const show = (isOwn, words) => {
  own.hidden = !isOwn;
  frame.hidden = isOwn;
  turn.textContent = isOwn ? 'Stately inspector' : 'Local chart';
  if (isOwn) follow(take, words);
  else follow((message) => frame.contentWindow.postMessage(message, new URL(viewer).origin), words);
};

zoom.oninput = () => {
  resize();
  shown?.scrollIntoView({ block: 'center', inline: 'center' });
};
chart.host.onpointerdown = ({ pointerType, button }) => {
  if (pointerType !== 'mouse' || button !== 0) return; // others pan by themselves
  const pan = ({ movementX, movementY }) => view.scrollBy(-movementX, -movementY);
  addEventListener('pointermove', pan);
  addEventListener('pointerup', () => removeEventListener('pointermove', pan), { once: true });
};
turn.hidden = viewer === '';
turn.onclick = () => show(own.hidden, '');
if (viewer === '') show(true, '');
else {
  const late = () => show(true, 'The Stately inspector was not reached: this is the local chart.');
  const wait = setTimeout(late, Number(patience));
  addEventListener('message', ({ source: from, origin, data }) => {
    if (from !== frame.contentWindow || origin !== new URL(viewer).origin) return;
    if (data?.type !== '@statelyai.connected') return;
    clearTimeout(wait);
    if (own.hidden) show(false, '');
  });
  turn.textContent = 'Local chart';
  frame.hidden = false;
  frame.src = viewer;
}
`;
