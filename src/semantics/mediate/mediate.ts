import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { pointerTo } from '../../canonical/unreadable.ts';
import { CharterError } from '../../errors.ts';
import type { UpContext } from '../../../schema/upformat/up-context.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import { conversionsIn } from './conversions.ts';
import { fitOf, onlyValue, type Units } from './fit.ts';
import type { Choice, Link, Mediation } from './mapping.ts';
import { placesOf, type Place } from './places.ts';
import { shapeOf } from './shape.ts';
import { thoughtOf } from './thought.ts';
import { verdictsOf, type Verdict } from './verdicts.ts';

/** What mediation is given beside two contexts. */
export interface MediationOptions {
  /** What a person chose: the path of the target to that of the source. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Converts between units of measure; without it, values in different units do not stand for one another. */
  readonly units?: Units;
}

const Choices = z.record(z.string(), z.string());

const unfit = (path: string, message: string): CharterError<'document_invalid'> =>
  new CharterError('document_invalid', `choices is not valid: ${JSON.stringify(path)}: ${message}`, {
    document: 'choices',
    issues: [{ path: pointerTo([path]), message }],
  });

const listed = (places: readonly Place[]): string =>
  `expected one of ${places
    .slice(0, 20)
    .map(({ path }) => path)
    .join(', ')}${places.length > 20 ? ` and ${places.length - 20} more` : ''}`;

/** A person's word is worth more than any description. */
const certain = { said: 1, answered: 1, near: 1, isContrary: false, isElsewhere: false };

/** What a person chose, as candidates. */
function chosenOf(
  { choices, units }: MediationOptions,
  source: readonly Place[],
  target: readonly Place[],
): readonly Candidate[] {
  const read = parseDocument('choices', Choices, frozenCopy(choices ?? {}, 'choices'));
  return Object.entries(read).map(([path, chosen]) => {
    const to = target.find((place) => place.path === path);
    if (to === undefined) throw unfit(path, listed(target));
    const from = source.find((place) => place.path === chosen);
    if (from === undefined) throw unfit(path, listed(source));
    const fit = fitOf(from, to, units);
    if (fit === null) throw unfit(path, `no value of ${chosen} can stand there`);
    return { ...certain, from, to, fit, isFormal: true, closeness: 1, why: ['choice'] };
  });
}

const scoreOf = ({ isFormal, closeness, why }: Candidate): number => {
  const near = Math.min(1, closeness / 1.25);
  const score = why.includes('choice') ? 1 : isFormal ? 0.9 + near / 10 : near * 0.9;
  return Math.round(score * 1000) / 1000;
};

/** Candidates as links of a mapping, with what is done on the way; those that cannot stand side by side are left out. */
function linksOf(candidates: readonly Candidate[]): readonly Link[] {
  const passages = candidates.map((candidate) => ({
    from: candidate.from.path,
    to: candidate.to.path,
    conversion: candidate.fit.conversion,
    candidate,
  }));
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

const isPick = ({ conversions }: Link): boolean => conversions.some(({ kind }) => kind === 'pick');
const isChosen = ({ why }: Link): boolean => why.includes('choice');

const isWithin = (path: string, holder: string): boolean =>
  path.startsWith(`${holder}.`) || path.startsWith(`${holder}[`);

/** Links without those that nobody may take for safe: of several values one, and parts of what lacks another part. */
function settled(candidates: readonly Candidate[], target: readonly Place[]): readonly Link[] {
  const links = linksOf(candidates);
  const kept = new Set(links.filter((link) => isChosen(link) || !isPick(link)).map(({ to }) => to));
  const lacking = target
    .filter(({ path, constraints }) => !kept.has(path) && onlyValue(constraints) === undefined)
    .flatMap(({ owedBy }) => owedBy.slice(-1));
  const isPart = (path: string): boolean => lacking.some((holder) => isWithin(path, holder));
  const rest = candidates.filter(({ to }) => kept.has(to.path) && !isPart(to.path));
  return rest.length === candidates.length ? links : settled(rest, target);
}

const choiceOf = (place: Place, { ranked }: Verdict): Choice => ({
  to: place.path,
  description: place.text,
  isRequired: place.isRequired,
  alternatives: ranked.flatMap((candidate) => linksOf([candidate])),
});

/**
 * Finds for each value of the target the one of the source that means the same: by terms of ontologies, by what both take, and by
 * what is said of them; never by what they are called alone. UpFormat 2.2, 3.2.
 *
 * The same for the same contexts, and frozen. `mapping` where every required value has one safe source, `ambiguous` where a person has to
 * choose, `none` where a required value has no source. Throws `input_unreadable` or `document_invalid` for contexts, or choices, that cannot be read, and for a
 * context that says of its schema what that does not say.
 */
export function mediate(source: UpContext, target: UpContext, options: MediationOptions = {}): Mediation {
  const from = placesOf('source', source);
  const to = placesOf('target', target);
  const chosen = chosenOf(options, from, to);
  const isOpen = ({ to: { path } }: Candidate): boolean => !chosen.some((one) => one.to.path === path);
  const verdicts = verdictsOf(candidatesOf(from, to, options.units).filter(isOpen));
  const safe = [...verdicts.values()].flatMap((verdict) => verdict.safe ?? []);
  const links = settled([...chosen, ...safe], to);
  const linked = new Set(links.map((link) => link.to));
  const isGiven = (holder: string): boolean => links.some((link) => isWithin(link.to, holder));
  const constants = to.flatMap(({ path, constraints, isRequired, owedBy }) => {
    const value = onlyValue(constraints);
    const isOwed = isRequired || owedBy.slice(-1).some(isGiven);
    return isOwed && value !== undefined && !linked.has(path) ? [{ to: path, value }] : [];
  });
  const filled = new Set(constants.map((constant) => constant.to));
  const open = to.filter(({ path }) => !linked.has(path) && !filled.has(path));
  const choices = open.flatMap((place) => {
    const verdict = verdicts.get(place.path);
    return verdict === undefined || verdict.ranked.length === 0 ? [] : [choiceOf(place, verdict)];
  });
  const missing = open
    .filter(({ path, isRequired }) => isRequired && !choices.some((choice) => choice.to === path))
    .map(({ path, text }) => ({ to: path, description: text }));
  const told = { links, choices, missing, upThought: thoughtOf({ links, choices, missing }) };
  const mediation: Mediation =
    missing.length > 0
      ? { outcome: 'none', ...told }
      : choices.some(({ isRequired }) => isRequired)
        ? { outcome: 'ambiguous', ...told }
        : { outcome: 'mapping', ...told, mapping: { links, constants, target } };
  return frozenCopy(mediation, 'mediation') as Mediation;
}
