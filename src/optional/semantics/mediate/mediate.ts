import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy, recordBounds } from '../../../base/canonical/freeze.ts';
import { pointerTo } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';
import type { UpContext } from '../../../../schema/upformat/up-context.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { conversionsIn } from './conversions.ts';
import { fitOf, onlyValue, type Units } from './fit.ts';
import { withLists } from './same-kind.ts';
import type { Choice, Link, Mapping, Mediation } from './mapping.ts';
import { placesOf, type Place } from './places.ts';
import { shapeOf } from './shape.ts';
import { thoughtOf } from './thought.ts';
import { verdictsOf, type Verdict } from './verdicts.ts';

/** Options of `mediate`. */
export interface MediationOptions {
  /** A person's choices by target path: a source path, or a value. */
  readonly choices?: Readonly<Record<string, string | { readonly value: unknown }>>;
  /** Converts units of measure. By default, values in different units do not match. */
  readonly units?: Units;
}

const Choices = z.record(z.string(), z.union([z.string(), z.strictObject({ value: z.unknown() })]));

const unfit = (path: string, message: string): CharterError<'document_invalid'> =>
  new CharterError('document_invalid', `choices is not valid: ${JSON.stringify(path)}: ${message}`, {
    document: 'choices',
    issues: [{ path: pointerTo([path]), message }],
  });

const listing = (places: readonly Place[]): string =>
  `expected one of ${places
    .slice(0, 20)
    .map(({ path }) => path)
    .join(', ')}${places.length > 20 ? ` and ${places.length - 20} more` : ''}`;

/** The likeness of a choice: it outranks any description. */
const certain = {
  sourceCoverage: 1,
  targetCoverage: 1,
  near: 1,
  wants: false,
  adds: false,
  isContrary: false,
  isElsewhere: false,
};

/** A person's choices: candidates and values. */
interface Chosen {
  readonly candidates: readonly Candidate[];
  readonly constants: Mapping['constants'];
}

function chosenOf(
  { choices, units }: MediationOptions,
  source: readonly Place[],
  target: readonly Place[],
): Chosen {
  const read = parseDocument('choices', Choices, frozenCopy(choices ?? {}, 'choices'));
  const candidates: Candidate[] = [];
  const constants: { to: string; value: unknown }[] = [];
  for (const [path, chosen] of Object.entries(read)) {
    const to = target.find((place) => place.path === path);
    if (to === undefined) throw unfit(path, listing(target));
    if (typeof chosen === 'object') {
      constants.push({ to: path, value: chosen.value });
      continue;
    }
    const from = source.find((place) => place.path === chosen);
    if (from === undefined) throw unfit(path, listing(source));
    const fit = fitOf(from, to, units);
    if (fit === null) throw unfit(path, `no value of ${chosen} fits there`);
    candidates.push({
      ...certain,
      from,
      to,
      fit,
      isFormal: true,
      isSameKind: false,
      closeness: 1,
      why: ['choice'],
    });
  }
  return { candidates, constants };
}

const scoreOf = ({ isFormal, closeness, why }: Candidate): number => {
  const near = Math.min(1, closeness / 1.25);
  const score = why.includes('choice') ? 1 : isFormal ? 0.9 + near / 10 : near * 0.9;
  return Math.round(score * 1000) / 1000;
};

const passageOf = (candidate: Candidate) => ({
  from: candidate.from.path,
  to: candidate.to.path,
  conversion: candidate.fit.conversion,
  candidate,
});

/** Returns candidates as links with conversions. Omits those that cannot be combined. */
function linksOf(candidates: readonly Candidate[]): readonly Link[] {
  const passages = candidates.map(passageOf);
  const { shape, astray } = shapeOf(passages);
  const conversions = conversionsIn(shape);
  return passages
    .filter((passage) => !astray.includes(passage))
    .map(({ from, to, candidate }) => ({
      from,
      to,
      score: scoreOf(candidate),
      why: candidate.why,
      conversions: conversions.get(to) ?? [],
    }));
}

/** Returns the safe candidates, without those that conflict with the most likely ones of the same array. */
function safeOf(verdicts: ReadonlyMap<string, Verdict>, chosen: readonly Candidate[]): readonly Candidate[] {
  const likeliest = [...verdicts.values()].flatMap(({ ranked }) => ranked.slice(0, 1));
  const { astray } = shapeOf([...chosen, ...likeliest].map(passageOf));
  const conflicting = new Set(astray.map(({ to }) => to));
  return [...verdicts.values()].flatMap(({ safe }) =>
    safe === undefined || conflicting.has(safe.to.path) ? [] : [safe],
  );
}

const isPick = ({ conversions }: Link): boolean => conversions.some(({ kind }) => kind === 'pick');
const isChosen = ({ why }: Link): boolean => why.includes('choice');

const isWithin = (path: string, holder: string): boolean =>
  path.startsWith(`${holder}.`) || path.startsWith(`${holder}[`);

/** Removes links that are not safe: duplicates of a target, and parts of an incomplete object. */
function settled(
  candidates: readonly Candidate[],
  target: readonly Place[],
  given: ReadonlySet<string>,
): readonly Link[] {
  const links = linksOf(candidates);
  const kept = new Set(links.filter((link) => isChosen(link) || !isPick(link)).map(({ to }) => to));
  const lacking = target
    .filter(({ path }) => !kept.has(path) && !given.has(path))
    .flatMap(({ optionalHolders: owedBy }) => owedBy.slice(-1));
  const isPart = (path: string): boolean => lacking.some((holder) => isWithin(path, holder));
  const rest = candidates.filter(({ to }) => kept.has(to.path) && !isPart(to.path));
  return rest.length === candidates.length ? links : settled(rest, target, given);
}

/** Returns the choice of a value without a safe source; `undefined` if there are no alternatives. */
function choiceOf(
  { path, text, isRequired, constraints }: Place,
  verdict: Verdict | undefined,
): readonly Choice[] {
  const only = onlyValue(constraints);
  const ranked = verdict?.ranked ?? [];
  if (ranked.length === 0 && (only === undefined || !isRequired)) return [];
  const alternatives = ranked.flatMap((candidate) => linksOf([candidate]));
  return [{ to: path, description: text, isRequired, alternatives, ...(only !== undefined && { only }) }];
}

/**
 * Maps target values to source values of the same meaning: by ontology terms, schemas and descriptions, never
 * by names alone. UpFormat 2.2, 3.2.
 *
 * The result is deterministic and frozen. It is a `mapping` if every required value has one safe source,
 * `ambiguous` if a person must choose, `none` if a required value has no source. Needs the peer `minisearch`:
 * throws `definition_invalid` if it is missing. Throws `input_unreadable` or `document_invalid` for invalid
 * contexts or choices, and for a context that contradicts its schema.
 */
export function mediate(source: UpContext, target: UpContext, options: MediationOptions = {}): Mediation {
  const from = placesOf('source', source);
  const declared = placesOf('target', target);
  const listed = withLists(from, declared);
  const { candidates, constants } = chosenOf(options, from, [...new Set([...declared, ...listed])]);
  const answered = new Set([...candidates.map((one) => one.to.path), ...constants.map((one) => one.to)]);
  const to = declared.map((place, at) => (answered.has(place.path) ? place : (listed[at] ?? place)));
  const open = candidatesOf(from, to, options.units).filter((one) => !answered.has(one.to.path));
  const verdicts = verdictsOf(open);
  const given = new Set(constants.map((one) => one.to));
  const links = settled([...candidates, ...safeOf(verdicts, candidates)], to, given);
  const filled = new Set([...given, ...links.map((link) => link.to)]);
  const lacking = to.filter(({ path }) => !filled.has(path));
  const choices = lacking.flatMap((place) => choiceOf(place, verdicts.get(place.path)));
  const missing = lacking
    .filter(({ path, isRequired }) => isRequired && !choices.some((choice) => choice.to === path))
    .map(({ path, text }) => ({ to: path, description: text }));
  const parts = { links, choices, missing, upThought: thoughtOf({ links, choices, missing }) };
  const mediation: Mediation =
    missing.length > 0
      ? { outcome: 'none', ...parts }
      : choices.some(({ isRequired }) => isRequired)
        ? { outcome: 'ambiguous', ...parts }
        : { outcome: 'mapping', ...parts, mapping: { links, constants, target } };
  return frozenCopy(mediation, 'mediation', recordBounds) as Mediation; // the same value
}
