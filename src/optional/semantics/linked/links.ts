import { digest } from '../../../base/canonical/digest.ts';
import { pointerTo, shownPointer } from '../../../base/canonical/unreadable.ts';
import { CharterError } from '../../../base/errors.ts';
import { readContext, type Field, type LinkedContext } from '../context.ts';
import { iriOf, namespaceOf } from '../terms.ts';
import { placesOf, type Place, type Places } from './places.ts';
import { contextIri, isReserved, memberIri } from './vocabulary.ts';

const iri = /^[a-z][a-z\d+.-]*:[^\p{Cc}\s<>"{}|\\^`]+$/iu;

/** The links from a payload's places to RDF terms. */
export interface Links extends Places {
  readonly context: LinkedContext;
  /** The IRI of the context, which is also the class of its payloads. */
  readonly iri: string;
  /** Its tags, with their IRIs. */
  readonly tags: readonly { readonly tag: string; readonly iri: string | undefined }[];
  /** Returns the classes of the values at a place. */
  readonly classesAt: (place: Place | undefined) => readonly string[];
  /** Returns the property IRI of a member: a term, or its name in the context's namespace. */
  readonly iriOf: (holder: Place | undefined, names: readonly string[]) => string;
  /** Returns the name of the member with this term; `undefined` if no member of the place has it. */
  readonly nameOf: (holder: Place | undefined, term: string) => string | undefined;
}

const refuse = (at: readonly string[], message: string): CharterError => {
  const issues = [{ path: pointerTo(at), message }];
  const text = `context is not valid: ${shownPointer(pointerTo(at))}: ${message}`;
  return new CharterError('document_invalid', text, { document: 'context', issues });
};

/** Returns whether a term is a property: by convention, it starts with a lower-case letter. */
const isProperty = (term: string): boolean => /^\p{Ll}/u.test(term.slice(namespaceOf(term).length));

/** Returns the fields of a place: of the member itself, and of its elements. */
const fieldsOf = (place: Place): readonly Field[] => {
  const fields: Field[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.elements.get(null)) {
    if (at.field !== undefined) fields.push(at.field);
  }
  return fields;
};

/** Returns a memoized function of a place. */
function memoize<Found>(find: (place: Place) => Found): (place: Place) => Found {
  const found = new Map<Place, Found>();
  return (place) => {
    const met = found.get(place);
    if (met !== undefined) return met;
    const now = find(place);
    found.set(place, now);
    return now;
  };
}

/** Returns the IRI of a term, if it may be used here. */
type Formal = (term: string) => string | undefined;

const conceptsIn = (formal: Formal, field: Field | undefined): readonly string[] => [
  ...new Set((field?.concepts ?? []).map(formal).filter((term) => term !== undefined)),
];

/** Throws for invalid predicates: of reserved namespaces, or classes. */
function checkPredicates({ fields = {}, prefixes }: LinkedContext, formal: Formal): void {
  const all = Object.entries(fields);
  const concepts = all.flatMap(([, field]) => conceptsIn(formal, field));
  const classes = new Set(concepts.filter((term) => !isProperty(term)));
  for (const [path, { predicate }] of all) {
    if (predicate === undefined || iriOf(predicate, prefixes) === undefined) continue;
    const at = ['fields', path, 'predicate'];
    const found = formal(predicate);
    if (found === undefined) throw refuse(at, 'expected an IRI of a vocabulary');
    if (classes.has(found)) throw refuse(at, 'expected a property: elsewhere it is a class');
  }
}

/** Returns the properties of an object's members. A concept counts only if it is unambiguous. */
function membersOf(holder: Place, formal: Formal): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const taken = new Set<string>();
  const tagged = new Map<string, string[]>();
  for (const [name, place] of holder.members) {
    const fields = fieldsOf(place);
    const predicate = fields.find((field) => field.predicate !== undefined)?.predicate;
    const iri = predicate === undefined ? undefined : formal(predicate);
    if (iri !== undefined) {
      if (taken.has(iri)) throw refuse(['fields'], `expected one member of an object to be its <${iri}>`);
      taken.add(iri);
      named.set(name, iri);
      continue;
    }
    const concepts = fields.map((field) => conceptsIn(formal, field));
    const [only, ...more] = concepts.find(({ length }) => length > 0) ?? [];
    if (only === undefined || more.length > 0 || !isProperty(only)) continue;
    const others = tagged.get(only);
    if (others === undefined) tagged.set(only, [name]);
    else others.push(name);
  }
  for (const [concept, [name, ...others]] of tagged) {
    if (name !== undefined && others.length === 0 && !taken.has(concept)) named.set(name, concept);
  }
  return named;
}

/** Returns the links of a context. Throws `input_unreadable` or `document_invalid`. */
export function linksOf(given: unknown): Links {
  const context = readContext('context', given);
  const places = placesOf(context);
  const self = contextIri(digest(given));
  const formal: Formal = (term) => {
    const found = iriOf(term, context.prefixes);
    return found !== undefined && iri.test(found) && !isReserved(found) ? found : undefined;
  };
  checkPredicates(context, formal);
  const termsOf = memoize((holder) => membersOf(holder, formal));
  const namesOf = memoize((holder) => new Map([...termsOf(holder)].map(([name, term]) => [term, name])));
  const classesOf = memoize((place) => [
    ...(place === places.root ? [self] : []),
    ...conceptsIn(formal, place.field).filter((term) => !isProperty(term)),
  ]);
  return {
    ...places,
    context,
    iri: self,
    tags: (context.concepts ?? []).map((tag) => ({ tag, iri: formal(tag) })),
    classesAt: (place) => (place === undefined ? [] : classesOf(place)),
    iriOf: (holder, names) => (holder && termsOf(holder).get(names.at(-1) ?? '')) ?? memberIri(self, names),
    nameOf: (holder, term) => holder && namesOf(holder).get(term),
  };
}
