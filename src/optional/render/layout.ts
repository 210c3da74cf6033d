import type { ELK, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk.bundled.js';
import { fonts, header, indent, lineHeight, type Box, type Chart, type Edge } from './chart.ts';
import { leastWidth, legendOf, type Legend } from './legend.ts';
import { loadElk, refusal } from './peers.ts';
import { measure, textOf, type Line } from './text.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Area extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedBox extends Area {
  readonly box: Box;
  /** The area of its title and rows. */
  readonly heading: Area;
}

export interface PlacedEdge {
  readonly edge: Edge;
  readonly points: readonly Point[];
  readonly label: Area | null;
}

export interface Placed extends Area {
  readonly chart: Chart;
  /** Below the boxes; its height is part of the picture's. */
  readonly legend: Legend;
  /** Outer boxes come before inner ones. */
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly PlacedEdge[];
}

const pill = (lines: readonly Line[]) => ({
  width: 12 + Math.max(...lines.map((line) => measure(textOf(line), fonts.label))),
  height: lines.length * lineHeight + 4,
});

/** The layout algorithms: the first gives better results, the second handles large charts. */
type Placement = 'NETWORK_SIMPLEX' | 'BRANDES_KOEPF';

/** Above this number of edges, `NETWORK_SIMPLEX` takes minutes or overflows the stack. */
const manyEdges = 150;

const common = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.layered.spacing.nodeNodeBetweenLayers': '12',
  'elk.spacing.edgeNode': '8',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.labelNode': '4',
};

/** The ids of boxes and edges for the engine. */
type Keys = ReadonlyMap<string, string>;

const keyIn = (keys: Keys, id: string): string => keys.get(id) ?? '';

/** The input of one engine run. */
interface Task {
  readonly keys: Keys;
  readonly placement: Placement;
  /** Extra width by box, for its title. The engine has no minimum width of a box with children. */
  readonly wider: ReadonlyMap<string, number>;
}

/** Returns invisible edges that keep phases in the order of the chart. Leaves follow their own edges. */
const spine =
  (keys: Keys) =>
  ({ children, direction }: Box): readonly ElkExtendedEdge[] =>
    direction === 'RIGHT' || children.every((child) => child.children.length === 0)
      ? []
      : children.slice(1).map((child, index) => ({
          id: `spine ${keyIn(keys, child.id)}`,
          sources: [keyIn(keys, children[index]?.id ?? '')],
          targets: [keyIn(keys, child.id)],
          layoutOptions: { 'elk.layered.priority.direction': '200' },
        }));

const edgeId = (index: number): string => `edge ${index}`;

const elkEdge = (keys: Keys, edge: Edge, index: number, distance: number): ElkExtendedEdge => ({
  id: edgeId(index),
  sources: [keyIn(keys, edge.from)],
  targets: [keyIn(keys, edge.to)],
  labels:
    edge.lines.length === 0
      ? []
      : [
          {
            text: edge.lines.map(textOf).join(),
            ...pill(edge.lines),
            layoutOptions: { 'elk.edgeLabels.inline': 'true' },
          },
        ],
  layoutOptions: {
    ...(distance > 0 ? { 'elk.layered.priority.direction': '20' } : {}),
    ...(distance === 1 ? { 'elk.layered.priority.straightness': '50' } : {}),
  },
});

const elkNode = (task: Task, box: Box): ElkNode => {
  const { width, height } = header(box);
  const id = keyIn(task.keys, box.id);
  const right = 16 + (task.wider.get(box.id) ?? 0);
  if (box.look === 'history') return { id, width: 26, height: 26 };
  if (box.children.length === 0) return { id, width: Math.max(width, 86), height };
  return {
    id,
    children: box.children.map((child) => elkNode(task, child)),
    layoutOptions: {
      ...common,
      'elk.layered.nodePlacement.strategy': task.placement,
      'elk.direction': box.direction ?? 'DOWN',
      ...(box.direction === 'RIGHT' && { 'elk.spacing.nodeNode': '28' }), // room for the mark of an initial state
      'elk.padding': box.isTitledAside
        ? `[top=16,left=${width + 4},bottom=16,right=${right}]`
        : `[top=${height + 20},left=16,bottom=16,right=${right}]`,
      ...(box.isOrdered === true ? { 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' } : {}),
      ...(box.isOpen === true ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' } : {}),
    },
  };
};

const listed = (box: Box): readonly Box[] => [box, ...box.children.flatMap(listed)];

/** Returns a line with small deviations removed, as between a box and its parent's border. */
const straightened = (points: readonly Point[]): readonly Point[] =>
  points.reduce<readonly Point[]>((drawn, { x, y }) => {
    const before = drawn.at(-1) ?? { x, y };
    return [
      ...drawn,
      { x: Math.abs(before.x - x) < 2 ? before.x : x, y: Math.abs(before.y - y) < 2 ? before.y : y },
    ];
  }, []);

const area = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Area>): Area => ({ x, y, width, height });

const nodesIn = (node: ElkNode): readonly ElkNode[] => [node, ...(node.children ?? []).flatMap(nodesIn)];

/** Runs the engine once. */
const laidOut = (elk: ELK, { root, edges }: Chart, task: Task): Promise<ElkNode> => {
  const boxes = listed(root);
  const orders = new Map(
    boxes.flatMap(({ children }) => children.map(({ id }, index) => [id, index] as const)),
  );
  const distance = ({ from, to }: Edge) => (orders.get(to) ?? 0) - (orders.get(from) ?? 0);
  const { layoutOptions = {}, ...sheet } = elkNode(task, { ...root, rows: [] });
  return elk.layout({
    ...sheet,
    edges: [
      ...boxes.flatMap(spine(task.keys)),
      ...edges.map((edge, index) => elkEdge(task.keys, edge, index, distance(edge))),
    ],
    layoutOptions: {
      ...layoutOptions,
      'elk.json.shapeCoords': 'ROOT',
      'elk.json.edgeCoords': 'ROOT',
      'elk.padding': '[top=32,left=12,bottom=0,right=12]',
    },
  });
};

/** Runs the engine until every title fits. */
const roomy = async (elk: ELK, chart: Chart, task: Task): Promise<ElkNode> => {
  const placed = await laidOut(elk, chart, task);
  const widths = new Map(nodesIn(placed).map(({ id, width = 0 }) => [id, width]));
  const short = listed(chart.root)
    .slice(1)
    .filter(({ children, look }) => children.length > 0 && look !== 'history')
    .map((box) => [box.id, header(box).width - (widths.get(keyIn(task.keys, box.id)) ?? 0)] as const)
    .filter(([, lack]) => lack > 0);
  if (short.length === 0 || task.wider.size > 0) return placed;
  return roomy(elk, chart, { ...task, wider: new Map(short) });
};

/** Lays out a chart with the better algorithm if possible. */
const placedBy = async (elk: ELK, chart: Chart, keys: Keys): Promise<ElkNode> => {
  const task = { keys, placement: 'BRANDES_KOEPF', wider: new Map() } as const;
  try {
    if (chart.edges.length <= manyEdges)
      return await roomy(elk, chart, { ...task, placement: 'NETWORK_SIMPLEX' });
  } catch {
    // the other algorithm handles large graphs
  }
  try {
    return await roomy(elk, chart, task);
  } catch (cause) {
    throw refusal('/machine', 'cannot be laid out; mermaid, json and xstate take any', { cause });
  }
};

/** Lays out every box and edge of a chart. The result is deterministic. */
export const layout = async (chart: Chart): Promise<Placed> => {
  const boxes = listed(chart.root);
  const keys: Keys = new Map(boxes.map(({ id }, index) => [id, `box ${index}`]));
  const placed = await placedBy(await loadElk(), chart, keys);
  const nodes = new Map(nodesIn(placed).map((node) => [node.id, node]));
  const routes = new Map((placed.edges ?? []).map((edge) => [edge.id, edge]));
  const sheet = area(placed);
  const sheetWidth = Math.max(sheet.width, leastWidth(chart.legend));
  const legend = legendOf(chart.legend, sheetWidth);
  return {
    chart,
    ...sheet,
    width: sheetWidth,
    height: sheet.height + legend.height,
    legend,
    boxes: boxes.slice(1).map((box) => {
      const { x, y, width, height } = area(nodes.get(keyIn(keys, box.id)) ?? {});
      const heading = header(box);
      const left = indent(box);
      return {
        box,
        x,
        y,
        width,
        height,
        heading: { ...heading, x: x + left, y, width: heading.width - left },
      };
    }),
    edges: chart.edges.map((edge, index) => {
      const { sections = [], labels = [] } = routes.get(edgeId(index)) ?? {};
      const [label] = labels;
      return {
        edge,
        points: straightened(
          sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
            startPoint,
            ...bendPoints,
            endPoint,
          ]),
        ),
        label: label === undefined ? null : area(label),
      };
    }),
  };
};
