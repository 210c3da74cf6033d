import { shown } from '../lineage/shown.ts';
import { rowsOf, sceneOf, spansOf, type Scene } from './detail.ts';
import { textOf, titleText, type Line } from './text.ts';
import type { State, Walk } from './walk.ts';

const most = 160;

interface Sheet extends Scene {
  /** Returns a key that is no keyword of the grammar. */
  readonly keyOf: (id: string) => string;
}

const words = (line: Pick<Line, 'spans'>): string => shown(textOf({ ...line, transition: null }), most);

const titleOf = ({ name, history }: State): string => {
  const title = shown(titleText(name), most);
  return history === null ? title : `${history === 'deep' ? 'deep ' : ''}history ${title}`;
};

/** Returns a state, its rows and its children as lines. */
const linesOf = (sheet: Sheet, state: State, indent: string): readonly string[] => {
  const key = sheet.keyOf(state.id);
  const inner = `${indent}  `;
  const rows = (state.history === null ? rowsOf(sheet, state) : []).map(words);
  const declared = `${indent}state "${titleOf(state)}" as ${key}`;
  if (state.children.length === 0)
    return [
      declared,
      ...rows.map((row) => `${indent}${key} : ${row}`),
      ...(state.type === 'final' ? [`${indent}${key} --> [*]`] : []),
    ];
  const children = state.children.map((child) => linesOf(sheet, child, inner));
  return [
    `${declared} {`,
    ...(state.initial === null ? [] : [`${inner}[*] --> ${sheet.keyOf(state.initial)}`]),
    ...children.flatMap((lines, index) =>
      state.type === 'parallel' && index > 0 ? [`${inner}--`, ...lines] : lines,
    ),
    `${indent}}`,
    ...(rows.length === 0
      ? []
      : [`${indent}note right of ${key}`, ...rows.map((row) => `${inner}${row}`), `${indent}end note`]),
  ];
};

/**
 * Returns a chart as a Mermaid state diagram. Mermaid has no history, so it becomes a state.
 *
 * By default, Mermaid draws at most 50,000 characters and 500 edges: raise its `maxTextSize` and `maxEdges`
 * for more.
 */
export const mermaidOf = (walk: Walk, omittedActions: readonly string[]): string => {
  const keys = new Map(walk.states.map(({ id }, index) => [id, `s${index}`]));
  const sheet = { ...sceneOf(walk, omittedActions), keyOf: (id: string) => keys.get(id) ?? '' };
  const edges = walk.transitions.flatMap((step) =>
    step.targets
      .filter((target) => !sheet.isInward(step.from, target))
      .map((target) => {
        const label = words({ spans: spansOf(sheet, step) });
        return `  ${sheet.keyOf(step.from)} --> ${sheet.keyOf(target)}${label === '' ? '' : ` : ${label}`}`;
      }),
  );
  return ['stateDiagram-v2', ...linesOf(sheet, walk.root, '  '), ...edges, ''].join('\n');
};
