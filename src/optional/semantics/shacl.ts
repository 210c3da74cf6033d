import { parseDocument } from '../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';
import { pointerTo, unreadable } from '../../base/canonical/unreadable.ts';
import { isCharterError } from '../../base/errors.ts';
import { JsonObject } from '../../../schema/formats.ts';
import { engineFor, tooMuch, type Violation } from './linked/engine.ts';
import { linksOf } from './linked/links.ts';
import { writePayload, writeShape } from './linked/rdf.ts';
import { shapesOf } from './linked/shacl.ts';

/** A payload and its context. */
export interface Described {
  readonly payload: unknown;
  readonly context: unknown;
}

/** The result of a validation. */
export interface Conformance {
  readonly conforms: boolean;
  /** At most 100 findings: a JSON Pointer into the payload, and the engine's message. */
  readonly findings: readonly { readonly path: string; readonly message: string }[];
  /** The keywords that were not checked, by path. */
  readonly unsaid: Readonly<Record<string, readonly string[]>>;
}

const payloadBounds = { depth: 64, members: 10_000, text: 1_048_576 };

/** The maximum length of an array. The engine processes lists recursively and in quadratic time. */
const longestArray = 1_000;

function readPayload(given: unknown): JsonObject {
  const payload = parseDocument('payload', JsonObject, frozenCopy(given, 'payload', payloadBounds));
  const pending: [readonly PropertyKey[], unknown][] = [[[], payload]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [keys, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > longestArray)
      throw unreadable('payload', keys, 'it is too long for SHACL', `${longestArray} elements`);
    for (const [key, member] of Object.entries(value)) pending.push([[...keys, key], member]);
  }
  return payload;
}

const messageOf = ({ message }: Violation): string =>
  message ?? 'Value matches none of the allowed alternatives';

const judged = <Found>(judge: () => Found): Found => {
  try {
    return judge();
  } catch (cause) {
    throw isCharterError(cause) ? cause : tooMuch(cause);
  }
};

/**
 * Returns a function that validates payloads against the shapes of their context (`toShacl`). The peer
 * `rdf-validate-shacl` reads the payload's RDF (`toJsonLd`). UpFormat 2.4.
 *
 * It agrees with JSON Schema except for `unsaid` keywords, and rejects nothing that JSON Schema accepts.
 * Throws `input_unreadable` or `document_invalid` for the context. The function throws the same for a
 * payload, also for an array of more than 1,000 elements or after two seconds.
 */
export function shapeJudge(context: unknown): (payload: unknown) => Conformance {
  const links = linksOf(context);
  const { root, unsaid } = shapesOf(links);
  const judge = engineFor((writer) => writeShape(writer, root));
  return (given) => {
    const payload = readPayload(given);
    const ways = new Map<string, readonly PropertyKey[]>();
    const violations = judged(() =>
      judge((writer) =>
        writePayload(writer, payload, links, (keys, { value }, predicate = '') =>
          ways.set(`${value} ${predicate}`, keys),
        ),
      ),
    );
    const findings = violations.flatMap((violation) => {
      const { focus, path, value, name } = violation;
      // a scalar instead of an object is reported for the object
      if (focus?.termType === 'Literal') return [];
      const holder = ways.get(`${focus?.value} `) ?? [];
      const keys =
        (value?.termType === 'BlankNode' ? ways.get(`${value.value} `) : undefined) ??
        ways.get(`${focus?.value} ${path?.value}`) ??
        (name === undefined ? holder : [...holder, name]);
      return [{ path: pointerTo(keys), message: messageOf(violation) }];
    });
    return { conforms: violations.length === 0, findings, unsaid };
  };
}

/** Validates a payload against the shapes of its context. Rejects with what `shapeJudge` throws. */
export const conformsTo = async ({ payload, context }: Described): Promise<Conformance> =>
  shapeJudge(context)(payload);
