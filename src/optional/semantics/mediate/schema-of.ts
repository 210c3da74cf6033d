import { isObject } from '../../../base/boundary/is-object.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import type { UpContext } from '../../../../schema/upformat/up-context.ts';
import { isWithinLimits, segmentsOf, type Segment } from '../path.ts';

/** A schema under construction, with its required members. */
interface Draft {
  keywords: JsonObject;
  isRequired: boolean;
  readonly members: Map<string, Draft>;
  readonly places: Draft[];
  elements: Draft | undefined;
}

const empty = (): Draft => ({
  keywords: {},
  isRequired: false,
  members: new Map(),
  places: [],
  elements: undefined,
});

function below(draft: Draft, step: Segment): Draft | undefined {
  switch (step.kind) {
    case 'member': {
      const member = draft.members.get(step.name) ?? empty();
      draft.members.set(step.name, member);
      return member;
    }
    case 'element': {
      if (step.index === null) return (draft.elements ??= empty());
      for (let index = draft.places.length; index <= step.index; index += 1) draft.places.push(empty());
      return draft.places[step.index];
    }
    case 'any':
      return undefined;
  }
}

const ours = new Set(['required', 'closed', 'namePatterns', 'repeats']);

/** Returns standard JSON Schema keywords. `required` belongs to the holder. */
const standard = (keywords: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(keywords).filter(([key]) => !ours.has(key))),
  ...(keywords['closed'] === true && { additionalProperties: false }),
});

const printed = ({ keywords, members, places, elements }: Draft): JsonObject => {
  const required = [...members].flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    ...(members.size > 0 && { type: 'object' }),
    ...((places.length > 0 || elements !== undefined) && { type: 'array' }),
    ...standard(keywords),
    ...(members.size > 0 && {
      properties: Object.fromEntries([...members].map(([name, member]) => [name, printed(member)])),
    }),
    ...(required.length > 0 && { required }),
    ...(places.length > 0 && { prefixItems: places.map(printed) }),
    ...(elements !== undefined && { items: printed(elements) }),
  };
};

/** Returns the JSON Schema of a context, or one built from its constraints. */
export function schemaOf({ schema, constraints = {} }: UpContext): JsonObject {
  if (isObject(schema)) return schema;
  const root = empty();
  for (const [path, keywords] of Object.entries(constraints)) {
    const steps = segmentsOf(path);
    if (steps === undefined || !isWithinLimits(steps) || !isObject(keywords)) continue;
    let draft: Draft | undefined = root;
    for (const step of steps) draft = draft && below(draft, step);
    if (draft === undefined) continue;
    draft.keywords = keywords;
    draft.isRequired = keywords['required'] === true;
  }
  return printed(root);
}
