import Elk from 'elkjs/lib/elk.bundled.js';
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk.bundled.js';
import { measure, textOf, type Font, type Line } from './text.ts';

/** How a state is drawn: what it owes or decides, or how a run ends in it. */
export type Look = 'group' | 'work' | 'gate' | 'person' | 'good' | 'bad' | 'history';

export interface Box {
  readonly id: string;
  readonly title: string;
  readonly look: Look;
  readonly isInitial: boolean;
  /** What the state does by itself: its duties, and the facts that it takes and stays. */
  readonly rows: readonly Line[];
  readonly children: readonly Box[];
  /** Which way its children follow one another. */
  readonly direction?: 'DOWN' | 'RIGHT';
  /** Whether an edge may end inside it; a box that is closed is laid out by itself. */
  readonly isOpen?: boolean;
  /** Whether its children keep to the order of the chart side by side as well; ELK cannot do this across borders. */
  readonly isOrdered?: boolean;
  /** Whether its title stands beside its children, out of the way of what goes in to them. */
  readonly isTitledAside?: boolean;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Comes back to where the state was left, through deep history. */
  readonly returns?: boolean;
  readonly lines: readonly Line[];
}

export interface Chart {
  readonly title: string;
  readonly description: string;
  /** What the kinds of label are, each in its own colour. */
  readonly legend: readonly Line[];
  readonly root: Box;
  readonly edges: readonly Edge[];
}

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
  /** Where its title and rows are. */
  readonly heading: Area;
}

export interface PlacedEdge {
  readonly edge: Edge;
  readonly points: readonly Point[];
  readonly label: Area | null;
}

export interface Placed extends Area {
  readonly chart: Chart;
  /** Each before those inside it. */
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly PlacedEdge[];
}

export const fonts = {
  title: { size: 14, bold: true },
  label: { size: 12 },
} as const satisfies Record<string, Font>;
export const lineHeight = 15;
export const titleHeight = 24;

/** A group's heading stands clear of the corner, where edges go in. */
export const indent = ({ look, isTitledAside = false }: Box): number =>
  look === 'group' && !isTitledAside ? 34 : 12;

/** The room that a title and the rows below it take. */
const header = (box: Box): { width: number; height: number } => ({
  width:
    indent(box) +
    10 +
    Math.max(measure(box.title, fonts.title), ...box.rows.map((row) => measure(textOf(row), fonts.label))),
  height: titleHeight + (box.rows.length === 0 ? 6 : box.rows.length * lineHeight + 8),
});

const pill = (lines: readonly Line[]) => ({
  width: 12 + Math.max(...lines.map((line) => measure(textOf(line), fonts.label))),
  height: lines.length * lineHeight + 4,
});

const common = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '12',
  'elk.spacing.edgeNode': '8',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.labelNode': '4',
};

/** Edges that nobody sees keep phases in the order in which the chart is written; leaves follow their own edges. */
const spine = ({ children, direction }: Box): readonly ElkExtendedEdge[] =>
  direction === 'RIGHT' || children.every((child) => child.children.length === 0)
    ? []
    : children.slice(1).map((child, index) => ({
        id: `spine ${child.id}`,
        sources: [children[index]?.id ?? ''],
        targets: [child.id],
        layoutOptions: { 'elk.layered.priority.direction': '50' },
      }));

const edgeId = ({ from, to }: Edge): string => `${from} ${to}`;

const elkEdge = (edge: Edge, distance: number): ElkExtendedEdge => ({
  id: edgeId(edge),
  sources: [edge.from],
  targets: [edge.to],
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

const elkNode = (box: Box): ElkNode => {
  const { width, height } = header(box);
  if (box.look === 'history') return { id: box.id, width: 26, height: 26 };
  if (box.children.length === 0) return { id: box.id, width: Math.max(width, 86), height };
  return {
    id: box.id,
    children: box.children.map(elkNode),
    layoutOptions: {
      ...common,
      'elk.direction': box.direction ?? 'DOWN',
      'elk.padding': box.isTitledAside
        ? `[top=16,left=${width + 4},bottom=16,right=16]`
        : `[top=${height + 20},left=16,bottom=16,right=16]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width}, ${height})`,
      ...(box.isOrdered === true ? { 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' } : {}),
      ...(box.isOpen === true ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' } : {}),
    },
  };
};

const listed = (box: Box): readonly Box[] => [box, ...box.children.flatMap(listed)];

/** A line between a box and its parent's border may be off by a hair; it is drawn straight. */
const straightened = (points: readonly Point[]): readonly Point[] =>
  points.reduce<readonly Point[]>((drawn, { x, y }) => {
    const before = drawn.at(-1) ?? { x, y };
    return [
      ...drawn,
      { x: Math.abs(before.x - x) < 2 ? before.x : x, y: Math.abs(before.y - y) < 2 ? before.y : y },
    ];
  }, []);

const area = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Area>): Area => ({ x, y, width, height });

/** Places every box and every edge of a chart, always in the same way. */
export const layout = async (chart: Chart): Promise<Placed> => {
  const boxes = listed(chart.root);
  const orders = new Map(
    boxes.flatMap(({ children }) => children.map(({ id }, index) => [id, index] as const)),
  );
  const distance = ({ from, to }: Edge) => (orders.get(to) ?? 0) - (orders.get(from) ?? 0);
  const laidOut = await new Elk.default().layout({
    ...elkNode({ ...chart.root, rows: [] }),
    edges: [...boxes.flatMap(spine), ...chart.edges.map((edge) => elkEdge(edge, distance(edge)))],
    layoutOptions: {
      ...elkNode(chart.root).layoutOptions,
      'elk.json.shapeCoords': 'ROOT',
      'elk.json.edgeCoords': 'ROOT',
      'elk.padding': '[top=32,left=12,bottom=40,right=12]',
    },
  });
  const nodes = new Map<string, ElkNode>();
  const keep = (node: ElkNode): void => {
    nodes.set(node.id, node);
    node.children?.forEach(keep);
  };
  keep(laidOut);
  const routes = new Map((laidOut.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    chart,
    ...area(laidOut),
    boxes: boxes.slice(1).map((box) => {
      const { x, y, width, height } = area(nodes.get(box.id) ?? {});
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
    edges: chart.edges.map((edge) => {
      const { sections = [], labels = [] } = routes.get(edgeId(edge)) ?? {};
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
