import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Step } from 'agentcharter/stores';
import { canonicalize } from '../../src/base/canonical/canonicalize.ts';
import { recordDomain } from '../../src/core/kernel/seal.ts';

// Copies of a task under other ids, whose digests hold. A digest is computed from a text that may have ids and other digests
// in it: so each text is cut at them once, and a copy only joins and hashes.

const namePattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|sha256:[\da-f]{64}/g;

const digestOf = (text: string): string => `sha256:${hash('sha256', text)}`;
const isDigest = (name: string): boolean => name.startsWith('sha256:');
const namesIn = (text: string): readonly string[] => text.match(namePattern) ?? [];

/** A text that was cut at its names: what is between them, and the place of each name. */
interface Template {
  readonly between: readonly string[];
  readonly places: readonly number[];
}

const filled = ({ between, places }: Template, values: readonly string[]): string => {
  let text = between[0] ?? '';
  for (let at = 0; at < places.length; at += 1)
    text += (values[places[at] ?? -1] ?? '') + (between[at + 1] ?? '');
  return text;
};

/** Makes copies of texts about one task. */
export interface Copier {
  /** Returns the texts under new ids, the same in all of them. */
  readonly copy: () => readonly string[];
  /** The digests that stay as they are, because no text is known that they are of. */
  readonly unknown: readonly string[];
}

/** Creates copies of `texts`. `hashed` are all texts that digests may be of. */
export const createCopier = (texts: readonly string[], hashed: readonly string[]): Copier => {
  const sources = new Map(hashed.map((text) => [digestOf(text), text]));
  const places = new Map<string, number>();
  /** What each place is made of, after what that depends on; `null` for an id. */
  const recipes: (Template | null)[] = [];
  const changes = new Map<string, boolean>();
  const doesChange = (name: string): boolean => {
    const known = changes.get(name);
    if (known !== undefined) return known;
    const does = isDigest(name) ? namesIn(sources.get(name) ?? '').some(doesChange) : true;
    changes.set(name, does);
    return does;
  };
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    const recipe = isDigest(name) ? cut(sources.get(name) ?? '') : null;
    const place = recipes.push(recipe) - 1;
    places.set(name, place);
    return place;
  };
  const cut = (text: string): Template => {
    const between: string[] = [];
    const found: number[] = [];
    let from = 0;
    for (const { 0: name, index } of text.matchAll(namePattern)) {
      if (!doesChange(name)) continue;
      between.push(text.slice(from, index));
      found.push(placeOf(name));
      from = index + name.length;
    }
    return { between: [...between, text.slice(from)], places: found };
  };
  const templates = texts.map(cut);
  return {
    copy: () => {
      const values: string[] = [];
      for (const recipe of recipes) values.push(recipe === null ? v7() : digestOf(filled(recipe, values)));
      return templates.map((template) => filled(template, values));
    },
    unknown: [...new Set(texts.flatMap(namesIn))].filter((name) => isDigest(name) && !sources.has(name)),
  };
};

/** Returns the canonical texts of a document and of every part of it. */
const partsOf = (value: unknown): readonly string[] => {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return [canonicalize(value), ...parts.flatMap(partsOf)];
};

/** Returns what a person approves: a question without the question itself. */
const shownBy = (document: object): readonly unknown[] => {
  if (!('payload' in document && 'explanation' in document)) return [];
  const { question: _question, ...shown } = document.payload as Readonly<Record<string, unknown>>;
  return [{ explanation: document.explanation, payload: shown }];
};

const hashedInStep = ({
  record,
  snapshot,
  indexEntry,
  deadlines,
  intents,
  emissions,
}: Step): readonly string[] => {
  const { brought, hash: _hash, ...sealed } = record;
  const { taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary } = indexEntry;
  const documents = emissions.map(({ document }) => document);
  const actions = (brought.calls ?? []).map(({ tool, version, arguments: given, rollback }) => ({
    request: record.request_id,
    tool,
    version,
    arguments: given ?? null,
    rollback,
  }));
  return [
    recordDomain + canonicalize(sealed),
    JSON.stringify([
      [taskId, threadId, parent, size, at, isSettled, isOwed, asking, summary],
      deadlines.map(({ of, id, at: end }) => [of, id, end]),
      intents.map(({ kind, key, tool }) => [kind, key, tool]),
    ]),
    ...(snapshot === null ? [] : [snapshot]),
    ...[...Object.values(brought), ...documents].flatMap(partsOf),
    ...[...actions, ...documents.flatMap(shownBy)].map((one) => canonicalize(one)),
  ];
};

/** Returns the texts that the digests of a task are of. */
export const hashedIn = (steps: readonly Step[]): readonly string[] => steps.flatMap(hashedInStep);
