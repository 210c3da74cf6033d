import SHACLValidator from 'rdf-validate-shacl';
import { withinTime } from '../../../base/boundary/within-time.ts';
import { CharterError } from '../../../base/errors.ts';
import type { Writer } from './rdf.ts';
import { standIns } from './stand-ins.ts';

type Dataset = ConstructorParameters<typeof SHACLValidator>[0];

/** A term of the engine. */
export type Term = Parameters<SHACLValidator['nodeConformsToShape']>[0];

/** The parts of the engine's environment that are used here. */
interface Factory {
  blankNode(): Term;
  namedNode(iri: string): Term;
  literal(text: string, datatype: Term): Term;
  quad(subject: Term, predicate: Term, object: Term): unknown;
  dataset(quads: readonly unknown[]): Dataset;
  clownface(from: { readonly dataset: Dataset }): SHACLValidator['$data'];
}

// the engine only iterates over it, and its environment requires an instance
const factory: Factory = new SHACLValidator([] as unknown as Dataset).factory;

/** Creates an empty graph. `node` and `write` convert its nodes and texts. */
function newGraph(node: () => Term, write: (text: string) => string) {
  const quads: unknown[] = [];
  const writer: Writer<Term> = {
    node,
    named: (iri) => factory.namedNode(iri),
    literal: (text, datatype) => factory.literal(write(text), factory.namedNode(datatype)),
    add: (subject, predicate, object) => {
      quads.push(factory.quad(subject, factory.namedNode(predicate), object));
    },
  };
  return { writer, dataset: () => factory.dataset(quads) };
}

/** A violation that the engine found. */
export interface Violation {
  readonly focus: Term | null;
  readonly path: Term | null;
  readonly value: Term | null;
  /** The name of the member whose shape is violated. */
  readonly name: string | undefined;
  readonly message: string | undefined;
}

/** Time limit, and maximum of reported violations. */
const limits = { milliseconds: 2_000, violations: 100 };

/** Returns the error for a payload that the engine cannot validate. */
export const tooMuch = (cause: unknown): CharterError<'input_unreadable'> => {
  const reason = 'it takes too long to validate';
  const message = `payload is not read: ${reason}; accepted: what takes up to ${limits.milliseconds} ms`;
  return new CharterError('input_unreadable', message, { document: 'payload', path: '', reason }, { cause });
};

/**
 * Returns a source of shape names. The engine copies an unnamed shape, with its content, into each finding.
 */
function shapeNames(): () => Term {
  let count = 0;
  return () => factory.namedNode(`urn:agentcharter:shape:${(count += 1)}`);
}

type Write = (writer: Writer<Term>) => Term;

/**
 * Returns a function that validates nodes against a shape. It throws the engine's errors, and
 * `input_unreadable` at the time limit.
 */
export function engineFor(writeShape: Write): (writeNode: Write) => readonly Violation[] {
  const characters = standIns();
  const shapes = newGraph(shapeNames(), characters.write);
  const names = new Map<string, string>();
  const shape = writeShape({ ...shapes.writer, name: ({ value }, name) => names.set(value, name) });
  const validator = new SHACLValidator(shapes.dataset(), {
    maxErrors: limits.violations,
    allowNamedNodeInList: true, // paths are named too
  });
  return (writeNode) => {
    const data = newGraph(() => factory.blankNode(), standIns(characters).write);
    const node = writeNode(data.writer);
    validator.$data = factory.clownface({ dataset: data.dataset() });
    const engine = validator.validationEngine.clone();
    const judge = (): boolean => validator.nodeConformsToShape(node, shape, engine);
    withinTime(limits.milliseconds, judge, tooMuch);
    return engine.getReport().results.map(({ focusNode, path, value, sourceShape, message }) => ({
      focus: focusNode,
      path,
      value,
      name: names.get(sourceShape?.value ?? ''),
      message: message[0]?.value,
    }));
  };
}
