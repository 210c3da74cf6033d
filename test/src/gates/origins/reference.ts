import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import {
  haystack,
  isPlain,
  isSaidAgain,
  mayBeFrom,
  needle,
  quotes,
  stands,
  type Json,
} from './second-matching.ts';

/**
 * A second reading of docs/embed/origins.md, over the records of a ledger and nothing of the engine: where each value of
 * each call comes from, and why the call is held.
 */

type Trust = 'trusted' | 'untrusted';
interface Label {
  integrity: Trust;
  readers: 'anyone' | readonly string[];
}
type Labels = Readonly<Record<string, Partial<Label>>>;

/** One leaf of a document. */
interface Leaf {
  readonly pointer: string;
  readonly value: Json;
}

/** Something that a value may stand in. */
interface Document {
  readonly alias: string;
  readonly content: Json;
  readonly label: (pointer: string, part?: string | null) => Label;
  /** Whether a value only says again what was asked. */
  readonly isEcho?: (pointer: string, part?: string | null) => boolean;
  readonly isHidden?: boolean;
}

const walk = (value: Json, pointer = ''): Leaf[] => {
  if (value === null || typeof value !== 'object') return [{ pointer, value }];
  const members: [string, Json][] = Array.isArray(value)
    ? value.map((one, index) => [`${index}`, one as Json])
    : Object.entries(value as Record<string, Json>);
  if (members.length === 0 && pointer !== '') return [{ pointer, value }];
  return members.flatMap(([name, one]) =>
    walk(one, `${pointer}/${name.split('~').join('~0').split('/').join('~1')}`),
  );
};

/** A value, and each value in it if it is an object or a list that was written as JSON. */
const readings = (value: Json): readonly Json[] => {
  try {
    const read = typeof value === 'string' ? (JSON.parse(value) as Json) : null;
    return [
      value,
      ...(typeof read === 'object' && read !== null ? walk(read).map((leaf) => leaf.value) : []),
    ];
  } catch {
    return [value];
  }
};

/** All that a document tells: its values, and the names of its members. */
const told = (value: Json): Leaf[] => [...walk(value), ...namesOf(value)];

/** The names of members, each at its member. */
const namesOf = (value: Json, pointer = ''): Leaf[] => {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value as Record<string, Json>).flatMap(([name, one]) => {
    const at = `${pointer}/${name.split('~').join('~0').split('/').join('~1')}`;
    return [...(Array.isArray(value) ? [] : [{ pointer: at, value: name }]), ...namesOf(one, at)];
  });
};

const meet = (one: Label, other: Label): Label => ({
  integrity: one.integrity === 'untrusted' || other.integrity === 'untrusted' ? 'untrusted' : 'trusted',
  readers:
    one.readers === 'anyone'
      ? other.readers
      : one.readers.filter((reader) => other.readers === 'anyone' || other.readers.includes(reader)),
});

const covers = (pattern: string, pointer: string): boolean => {
  const [wanted, given] = [pattern.split('/'), pointer.split('/')];
  return wanted.length <= given.length && wanted.every((token, at) => token === '*' || token === given[at]);
};

/** The labels of this test never have two patterns of one length that cover one pointer. */
const labelled = (labels: Labels, pointer: string, otherwise: Label): Label => {
  const label = { ...otherwise };
  const patterns = Object.keys(labels).filter((pattern) => covers(pattern, pointer));
  for (const pattern of patterns.toSorted((one, other) => one.split('/').length - other.split('/').length))
    Object.assign(label, labels[pattern]);
  return label;
};

/** A text may hold what labels of its members are about. */
const inDocument = (content: Json, labels: Labels, pointer: string, otherwise: Label): Label => {
  const within = typeof at(content, pointer) === 'string' ? Object.keys(labels) : [];
  const deeper = within.filter(
    (pattern) =>
      pattern.split('/').length > pointer.split('/').length &&
      covers(pattern.split('/').slice(0, pointer.split('/').length).join('/'), pointer),
  );
  return deeper
    .map((pattern) => labelled(labels, pattern, otherwise))
    .reduce(meet, labelled(labels, pointer, otherwise));
};

const whole = (labels: Labels, otherwise: Label): Label =>
  ['', ...Object.keys(labels)].map((pattern) => labelled(labels, pattern, otherwise)).reduce(meet);

const anyone: Label = { integrity: 'trusted', readers: 'anyone' };
const nobody: Label = { integrity: 'untrusted', readers: 'anyone' };

const at = (value: Json, pointer: string): Json | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((one, name) => (one as Record<string, Json> | undefined)?.[name], value);

interface Found {
  readonly at: string;
  /** Where the reference itself stands. */
  readonly base: string;
  readonly source: string;
  readonly pointer: string;
}

/** Takes references out of arguments. */
const dereferenced = (value: Json, documents: readonly Document[], pointer = ''): Found[] => {
  if (value === null || typeof value !== 'object') return [];
  const { $from, pointer: of } = value as Record<string, Json>;
  if (typeof $from === 'string' && typeof of === 'string' && Object.keys(value).length === 2) {
    const named = at(documents.find(({ alias }) => alias === $from)?.content ?? null, of) ?? null;
    return walk(named).map((leaf) => ({
      at: pointer + leaf.pointer,
      base: pointer,
      source: $from,
      pointer: of + leaf.pointer,
    }));
  }
  return Object.entries(value).flatMap(([name, one]) => dereferenced(one, documents, `${pointer}/${name}`));
};

/** What the ledger should say of each call that it says anything of, by the id of the call. */
export const expectedOrigins = (records: readonly LedgerRecord[]): ReadonlyMap<string, unknown> => {
  const expected = new Map<string, unknown>();
  const request = records[0]!.brought.request!;
  const given = request.labels?.request ?? {};
  let shown = meet(whole(given, anyone), { ...anyone, ...request.labels?.context });
  const said: string[] = [];
  const mandated = new Set<string>();
  /** The question about the last further calls. */
  let further: string | null = null;
  const asked = new Map<string, Json>();
  const referred = new Map<string, Label>();
  const resultLabels = new Map<string, Labels>();
  const hidden = new Set<string>();
  const documents: Document[] = [
    {
      alias: 'request',
      content: request.payload as Json,
      label: (pointer) => inDocument(request.payload as Json, given, pointer, anyone),
    },
  ];
  const placed = (source: string, pointer: string, label: Label, part?: string | null) => {
    const { isEcho, isHidden } = documents.find(({ alias }) => alias === source)!;
    return {
      source,
      pointer,
      ...(label.integrity === 'untrusted' && { isUntrusted: true }),
      ...(isEcho?.(pointer, part) && { isEcho: true }),
      ...(isHidden && { isHidden: true }),
    };
  };
  const argumentLabels = new Map<
    string,
    readonly { at: string; readers: Label['readers']; isName?: true }[]
  >();
  for (const { kind, fact, brought, actor } of records) {
    const { feedback, calls = [], evidence, output, rejected, message, payload, explanation } = brought;
    const say = (what: unknown): void =>
      void said.push(...told((what ?? null) as Json).flatMap(({ value }) => haystack(value) ?? []));
    if (kind === 'message') {
      say(message);
      shown = meet(shown, nobody);
    }
    if (kind !== 'fact') continue;
    if (feedback !== undefined) {
      const label = { ...anyone, ...request.labels?.answers };
      const content = (feedback.content ?? null) as Json;
      const results = documents.flatMap(({ alias, content: result }) => {
        const labels = resultLabels.get(alias);
        return labels === undefined
          ? []
          : told(result).map(({ pointer, value }) => ({
              alias,
              value,
              label: inDocument(result, labels, pointer, nobody),
            }));
      });
      const heard = [
        ...said.map((text) => ({ text, label: nobody })),
        ...results.map(({ value, label: own }) => ({ text: haystack(value), label: own })),
      ];
      const labelOf = (what: string | null): Label =>
        heard
          .filter(({ text }) => what !== null && text !== null && (text === what || mayBeFrom(what, text)))
          .reduce((one, { label: own }) => meet(one, own), label);
      const isDisclosed = (one: (typeof results)[number]): boolean =>
        hidden.has(one.alias) && told(content).some(({ value }) => quotes(value, one.value));
      const answers = documents.filter(({ alias }) => alias.startsWith('answer-')).length;
      documents.splice(answers + 1, 0, {
        alias: `answer-${answers + 1}`,
        content,
        label: (pointer, part) => labelOf(part === undefined ? needle(at(content, pointer) ?? null) : part),
      });
      shown = results.filter(isDisclosed).reduce((one, { label: own }) => meet(one, own), meet(shown, label));
    }
    for (const [index, call] of calls.entries()) {
      if (call.origins === undefined) continue;
      const wanted = (output?.payload?.['calls'] as Json[] | undefined)?.[index] as
        { arguments?: Json } | undefined;
      const references = dereferenced(wanted?.arguments ?? null, documents);
      // which names the tool did not define is not on record otherwise
      const isFree = ({ pointer }: Leaf): boolean =>
        call.origins!.values.some(({ at: of, isName }) => isName === true && of === pointer);
      const named = namesOf(call.arguments as Json).filter(isFree);
      const listed = walk(call.arguments as Json).flatMap((leaf) => [
        ...named.filter((one) => `${leaf.pointer}/`.startsWith(`${one.pointer}/`)),
        leaf,
      ]);
      const isName = (leaf: Leaf): boolean => named.includes(leaf);
      const values = [...new Set(listed)].map((leaf) => {
        const { pointer, value } = leaf;
        const ofName = isName(leaf) ? { isName: true as const } : {};
        const exact = isName(leaf)
          ? references.find(
              ({ base, at: of }) => `${of}/`.startsWith(`${pointer}/`) && base.length < pointer.length,
            )
          : references.find((one) => one.at === pointer);
        if (exact !== undefined) {
          const { source } = exact;
          const of = exact.pointer.slice(0, exact.pointer.length - exact.at.length + pointer.length);
          const part = isName(leaf) ? needle(value) : undefined;
          const label = documents.find(({ alias }) => alias === source)!.label(of, part);
          referred.set(call.id, meet(referred.get(call.id) ?? anyone, label));
          return {
            at: pointer,
            ...ofName,
            found: [placed(source, of, label, part)],
            ...label,
            isReference: true,
          };
        }
        const what = needle(value);
        const places = documents.flatMap(({ alias, content, label }) =>
          walk(content).flatMap((leaf) => {
            const isThere = readings(leaf.value).some((read) => {
              const where = haystack(read);
              if (what === null || where === null) return false;
              return read === value || (isPlain(value) && stands(what, where));
            });
            return isThere
              ? [{ source: alias, pointer: leaf.pointer, label: label(leaf.pointer, what ?? undefined) }]
              : [];
          }),
        );
        if (places.length === 0) return { at: pointer, ...ofName, found: [], ...shown };
        const isGood = ({ label }: (typeof places)[number]): boolean => label.integrity === 'trusted';
        const found = [...places.filter(isGood), ...places.filter((place) => !isGood(place))];
        return {
          at: pointer,
          ...ofName,
          found: found
            .slice(0, 8)
            .map((place) => placed(place.source, place.pointer, place.label, what ?? undefined)),
          integrity: places.some(isGood) ? 'trusted' : 'untrusted',
          readers: found.map(({ label }) => label).reduce(meet).readers,
        };
      });
      expected.set(call.id, { shown, values });
      argumentLabels.set(call.id, values);
      const { mandate } = request;
      const isOutside =
        mandate === 'plan'
          ? shown.integrity === 'untrusted' && !mandated.has(call.tool)
          : mandate !== undefined && !mandate.includes(call.tool);
      expected.set(`${call.id} outside`, isOutside);
    }
    for (const reason of brought.reasons ?? [])
      for (const { alias, content } of documents.filter((one) => one.isHidden))
        for (const { pointer, value } of told(content))
          if (quotes(reason, value))
            shown = meet(shown, inDocument(content, resultLabels.get(alias)!, pointer, nobody));
    if (fact?.type === 'plan.proposed') further = null;
    if (fact?.type === 'calls.proposed') further = `plan:${fact.digest}`;
    if (fact?.type === 'human.responded' && fact.plan && fact.question !== further) mandated.clear();
    for (const { id, tool, arguments: input } of calls) {
      asked.set(id, input as Json);
      if (shown.integrity === 'trusted' || fact?.type === 'human.responded') mandated.add(tool);
    }
    for (const tool of output?.declares ?? [])
      if (shown.integrity === 'trusted' || fact?.type === 'human.responded') mandated.add(tool);
    const isOfTool =
      fact !== null && /^(?:call\.(?:failed|doubted)|question\.raised|dependency\.awaited)$/.test(fact.type);
    if (isOfTool) {
      say(payload);
      say(explanation);
    } else if (fact?.type !== 'human.responded') say(output ?? rejected?.output);
    const isOurs = fact?.type === 'dependency.awaited' && actor.kind === 'agent';
    if (isOfTool && 'call' in fact && typeof fact.call === 'string' && !isOurs) {
      const declared = records
        .flatMap((one) => one.brought.calls ?? [])
        .find(({ id }) => id === fact.call)?.labels;
      shown = meet(shown, meet(whole(declared ?? {}, nobody), referred.get(fact.call) ?? anyone));
    }
    if (evidence !== undefined) {
      const labels = (evidence['agentcharter:labels'] ?? {}) as Labels;
      const number = documents.filter(({ alias }) => alias.startsWith(`${evidence.source}#`)).length + 1;
      const asker = String(evidence['agentcharter:call']);
      const ofNames = argumentLabels.get(asker)?.filter((one) => one.isName) ?? [];
      const ofValues = argumentLabels.get(asker)?.filter((one) => !one.isName) ?? [];
      const askedOf = (leaves: readonly Leaf[], origins: typeof ofNames) =>
        leaves.flatMap(({ pointer, value }) => {
          const readers = origins.find(({ at: of }) => of === pointer)?.readers;
          return needle(value) === null ? [] : [{ readers, text: haystack(value)! }];
        });
      const own = [
        ...askedOf(walk(asked.get(asker) ?? null), ofValues),
        ...askedOf(namesOf(asked.get(asker) ?? null), ofNames).filter(({ readers }) => readers !== undefined),
      ];
      const content = (evidence.payload ?? null) as Json;
      const saidAgain = (pointer: string, part?: string | null) => {
        const what = part === undefined ? needle(at(content, pointer) ?? null) : part;
        return what === null ? [] : own.filter(({ text }) => isSaidAgain(what, text));
      };
      const isOwn = (pointer: string, part?: string | null): boolean => saidAgain(pointer, part).length > 0;
      const taken = referred.get(asker) ?? anyone;
      const alias = `${evidence.source}#${number}`;
      resultLabels.set(alias, labels);
      documents.push({
        alias,
        content,
        isEcho: isOwn,
        isHidden: evidence['agentcharter:hidden'] === true,
        label: (pointer, part) => {
          const label = meet(inDocument(content, labels, pointer, nobody), {
            ...taken,
            integrity: 'trusted',
          });
          const again = saidAgain(pointer, part).map(({ readers }) => readers ?? 'anyone');
          return again.reduce((one, readers) => meet(one, { integrity: 'untrusted', readers }), label);
        },
      });
      if (evidence['agentcharter:hidden'] === true) {
        hidden.add(alias);
        continue;
      }
      shown = meet(shown, whole(labels, nobody));
      // what is made of a reference is for the same readers; a result that repeats it is as trusted
      const isRepeated = told(content).some(
        ({ pointer, value }) => needle(value) !== null && isOwn(pointer, needle(value)),
      );
      shown = meet(shown, isRepeated ? taken : { ...taken, integrity: 'trusted' });
    }
  }
  return expected;
};
