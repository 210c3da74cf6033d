import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../base/boundary/is-object.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError, type Issue } from '../../../base/errors.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { readContext, type Field, type LinkedContext } from '../context.ts';
import type { Constraints } from '../derive/constraints.ts';
import { describe } from '../derive/describe.ts';
import { isWithinLimits, pathLimits, pathOf, rootPath, segmentsOf, type Segment } from '../path.ts';
import { iriOf } from '../terms.ts';

/** The maximum of paths in a context. */
export const placeLimit = 1_000;

/** A leaf value of a payload, with what its context says about it. */
export interface Place {
  readonly path: string;
  readonly steps: readonly Segment[];
  /** The element paths of its arrays, outermost first. */
  readonly arrays: readonly string[];
  readonly constraints: Constraints;
  /** The constraints of undeclared members, by their relative paths. */
  readonly inner: Readonly<Record<string, Constraints>>;
  /** Whether a payload must have it and its holders. */
  readonly isRequired: boolean;
  /** Whether its holder must have it. */
  readonly isGiven: boolean;
  /** Its optional holders, outermost first. If one is present, the value must be too. */
  readonly optionalHolders: readonly string[];
  readonly text: string;
  /** The words of its holders, including the payload. */
  readonly around: string;
  /** The words of its holders, without the payload. */
  readonly holder: string;
  /** Ontology terms, as IRIs. */
  readonly terms: ReadonlySet<string>;
  readonly termsAround: ReadonlySet<string>;
  /** Tags without an ontology. */
  readonly tags: ReadonlySet<string>;
  readonly unit: string | undefined;
  /** Whether its context has neither constraints nor a schema. */
  readonly isBare: boolean;
}

interface Known {
  readonly constraints: Constraints;
  readonly isRequired: boolean;
}

/** The entries of a context, by path. */
type Knowledge = ReadonlyMap<string, Known>;

const constraintsIn = ({ constraints = {} }: LinkedContext): readonly (readonly [string, JsonObject])[] =>
  Object.entries(constraints).flatMap(([path, own]) =>
    isObject(own) && segmentsOf(path) !== undefined ? [[path, own] as const] : [],
  );

const refused = (document: string, issues: readonly Issue[]): CharterError<'document_invalid'> => {
  const [first] = issues;
  const message = `${document} is not valid: ${first?.path}: ${first?.message}`;
  return new CharterError('document_invalid', message, { document, issues });
};

/** Returns issues of a context that contradicts its schema. */
function contradictionsOf(context: LinkedContext, entries: Knowledge): readonly Issue[] {
  const unknown = Object.keys(context.fields ?? {}).filter((path) => !entries.has(path));
  const message = 'its schema has no such path';
  return [
    ...unknown.map((path) => ({ path: pointerTo(['fields', path]), message })),
    ...constraintsIn(context).flatMap(([path, own]) => {
      const at = pointerTo(['constraints', path]);
      const known = entries.get(path);
      if (known === undefined) return [{ path: at, message }];
      const { required = false, ...rest } = own;
      const isFalse = (key: string): boolean =>
        key in known.constraints && !isDeepStrictEqual(known.constraints[key], rest[key]);
      const keys = Object.keys(rest).filter(isFalse);
      if (required === true && !known.isRequired) keys.push('required');
      return keys.map((key) => ({ path: `${at}${pointerTo([key])}`, message: 'its schema does not agree' }));
    }),
  ];
}

/** Returns the entries of a context's schema, else of its fields. Without either, every field is required. */
function knowledgeOf(document: string, context: LinkedContext): Knowledge {
  if (isObject(context.schema)) {
    const entries = describe(context.schema);
    const contradictions = contradictionsOf(context, entries);
    if (contradictions.length > 0) throw refused(document, contradictions);
    const own = new Map(constraintsIn(context));
    return new Map(
      [...entries].map(([path, { constraints, isRequired }]) => [
        path,
        { constraints: { ...own.get(path), ...constraints }, isRequired },
      ]),
    );
  }
  const isRequired = context.constraints === undefined;
  const fields = Object.keys(context.fields ?? {}).map(
    (path) => [path, { constraints: {}, isRequired }] as const,
  );
  const constrained = constraintsIn(context).map(
    ([path, constraints]) => [path, { constraints, isRequired: constraints['required'] === true }] as const,
  );
  return new Map([...fields, ...constrained]);
}

/** Returns every described path and its holders, in order. Undeclared members are omitted. */
function pathsOf(document: string, knowledge: Knowledge): ReadonlyMap<string, readonly Segment[]> {
  const paths = new Map<string, readonly Segment[]>();
  for (const path of knowledge.keys()) {
    const steps = segmentsOf(path);
    if (steps === undefined || !isWithinLimits(steps)) {
      const message = `expected a path such as candidates[].email, of at most ${pathLimits.steps} steps, with an index below ${pathLimits.index}`;
      throw refused(document, [{ path: pointerTo(['fields', path]), message }]);
    }
    if (steps.some(({ kind }) => kind === 'any')) continue;
    for (let length = 1; length <= steps.length; length += 1) {
      const holder = steps.slice(0, length);
      paths.set(pathOf(holder), holder);
    }
    if (paths.size > placeLimit) {
      const message = `expected at most ${placeLimit} paths`;
      throw refused(document, [{ path: '/fields', message }]);
    }
  }
  return paths;
}

const innerOf = (path: string, knowledge: Knowledge): Place['inner'] =>
  Object.fromEntries(
    [...knowledge].flatMap(([inner, { constraints }]) =>
      inner.startsWith(`${path}.*`) ? [[inner.slice(path.length), constraints]] : [],
    ),
  );

/** Returns the words of a field. Terms and units are no words. */
const wordsOf = ({ description, concepts = [], predicate, unit }: Field): string => {
  const terms = [...concepts, ...(predicate === undefined ? [] : [predicate])].join(', ');
  return description === terms || description === unit ? '' : description;
};

const termsIn = (field: Field | undefined): readonly string[] => [
  ...(field?.concepts ?? []),
  ...(field?.predicate === undefined ? [] : [field.predicate]),
];

/**
 * Returns the values of a context, in order. Throws `document_invalid` for a contradictory or too large
 * context.
 */
export function placesOf(document: string, value: unknown): readonly Place[] {
  const context = readContext(document, value);
  const { fields = {}, entity = '', prefixes } = context;
  const isBare = context.constraints === undefined && context.schema === undefined;
  const knowledge = knowledgeOf(document, context);
  const paths = pathsOf(document, knowledge);
  const holders = new Set([...paths.values()].map((steps) => pathOf(steps.slice(0, -1))));
  const fieldAt = (path: string): Field | undefined =>
    Object.hasOwn(fields, path) ? fields[path] : undefined;
  const irisOf = (field: Field | undefined): readonly string[] =>
    termsIn(field).flatMap((term) => iriOf(term, prefixes) ?? []);

  const placeAt = (path: string, steps: readonly Segment[]): Place => {
    const way = steps.map((_, at) => pathOf(steps.slice(0, at)));
    const isElement = steps.at(-1)?.kind === 'element';
    // the description of a list of plain values applies to each of them
    const field = fieldAt(path) ?? (isElement ? fieldAt(way.at(-1) ?? rootPath) : undefined);
    const around = way.flatMap((holder) => fieldAt(holder) ?? []).filter((one) => one !== field);
    const named = [...way.slice(1), path].filter((_, at) => steps[at]?.kind === 'member');
    const lacks = named.filter((each) => knowledge.get(each)?.isRequired === false);
    return {
      path,
      steps,
      arrays: [...way.slice(1), path].filter((_, at) => {
        const step = steps[at];
        return step?.kind === 'element' && step.index === null;
      }),
      constraints: knowledge.get(path)?.constraints ?? {},
      inner: innerOf(path, knowledge),
      isRequired: lacks.length === 0,
      isGiven: lacks.at(-1) !== path,
      optionalHolders: lacks.at(-1) === path ? [] : lacks,
      text: field === undefined ? '' : wordsOf(field),
      around: [entity, ...around.map(wordsOf)].join(' '),
      holder: around
        .filter((field) => field !== fieldAt(rootPath))
        .map(wordsOf)
        .join(' '),
      terms: new Set(irisOf(field)),
      termsAround: new Set(around.flatMap(irisOf)),
      tags: new Set(termsIn(field).filter((term) => iriOf(term, prefixes) === undefined)),
      unit: field?.unit,
      isBare,
    };
  };

  return [...paths].filter(([path]) => !holders.has(path)).map(([path, steps]) => placeAt(path, steps));
}
