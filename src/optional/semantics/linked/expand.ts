import { createRequire } from 'node:module';
import * as z from 'zod';
import { definitionError } from '../../../base/boundary/definition-error.ts';
import {
  createBoundedWorker,
  WorkerBroke,
  WorkerOverrun,
  type BoundedWorker,
} from '../../../base/boundary/bounded-worker.ts';
import { didYouMean } from '../../../base/boundary/did-you-mean.ts';
import { shownName, shownNames } from '../../../base/text/foreign-text.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { unreadable } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';
import { JsonObject } from '../../../../schema/formats.ts';
import { expandProgram } from './expand-program.ts';
import { refuseLinked } from './refuse-linked.ts';

const peer = 'jsonld';

/**
 * The limits of a document. Its context has three levels for each level of the message, and several members for each
 * name.
 */
const bounds = { depth: 256, members: 800_000, text: 16_777_216 };

/** Time limit of an expansion, and the maximum length of its result. */
const limits = { milliseconds: 10_000, text: 33_554_432 };

/** The path of the installed peer. Throws `definition_invalid` if it is not installed. */
function installedPeer(): string {
  try {
    return createRequire(import.meta.url).resolve(peer);
  } catch (cause) {
    const message = `needs its reader: npm install ${peer}`;
    throw definitionError('JSON-LD', [{ path: '', message }], { cause });
  }
}

/** The documents of known contexts, by URL. */
const Contexts = z.record(
  z.string(),
  JsonObject.refine((document) => '@context' in document, 'must be a document with the member "@context"'),
);

/** Returns the error for a context that is not known. */
function unknownContext(url: string, known: readonly string[]): CharterError<'not_found'> {
  const accepted = known.length === 0 ? 'contexts inside the document' : shownNames(known);
  const near = didYouMean(url, known) || '.';
  const advice = `Pass its document as contexts[${shownName(url)}], or send the context inside the document`;
  const message = `JSON-LD context ${shownName(url)} is not known, and nothing is fetched; accepted: ${accepted}${near} ${advice}`;
  return new CharterError('not_found', message, {
    kind: 'JSON-LD context',
    id: url.slice(0, 2_000),
    known: [...known],
  });
}

/** The answer of the thread. */
const Answer = z.union([
  z.object({ expanded: z.string() }),
  z.object({ unknown: z.string() }),
  z.object({ invalid: z.string() }),
  z.object({ large: z.number() }),
]);

/** The shared thread. */
let thread: BoundedWorker | undefined;

async function ask(message: object): Promise<z.infer<typeof Answer>> {
  thread ??= createBoundedWorker(expandProgram, installedPeer());
  try {
    const { answer } = await thread.run(message, () => limits.milliseconds);
    return Answer.parse(answer);
  } catch (cause) {
    if (!(cause instanceof WorkerOverrun || cause instanceof WorkerBroke)) throw cause;
    const isOverrun = cause instanceof WorkerOverrun;
    const reason = isOverrun
      ? 'it takes too long, or too much memory, to expand'
      : `the thread of ${peer} broke`;
    const text = `JSON-LD is not read: ${reason}; accepted: what takes up to ${limits.milliseconds} ms`;
    const details = { document: 'JSON-LD', path: '', reason };
    throw new CharterError('input_unreadable', text, details, { cause });
  }
}

/**
 * Returns the expanded form of a JSON-LD document, by the peer `jsonld` in a thread of its own. Fetches nothing.
 *
 * Rejects with `not_found` for an unknown context, `input_unreadable` over a limit, `document_invalid` if the
 * document is not JSON-LD or holds members without a meaning, and `definition_invalid` without the peer.
 */
export async function expandOffline(document: unknown, contexts: unknown): Promise<unknown> {
  const given = frozenCopy(document, 'JSON-LD', bounds);
  if (typeof given !== 'object' || given === null)
    throw refuseLinked([], 'expected a JSON-LD document: an object or an array');
  const known = parseDocument('contexts', Contexts, frozenCopy(contexts, 'contexts', bounds));
  const answer = await ask({
    document: JSON.stringify(given),
    contexts: JSON.stringify(known),
    most: limits.text,
  });
  if ('unknown' in answer) throw unknownContext(answer.unknown, Object.keys(known));
  if ('invalid' in answer) throw refuseLinked([], `jsonld says ${shownName(answer.invalid)}`);
  if ('large' in answer)
    throw unreadable('JSON-LD', [], 'its expanded form is too long', `${limits.text} characters`);
  return JSON.parse(answer.expanded);
}
