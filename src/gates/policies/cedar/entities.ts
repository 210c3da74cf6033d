import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import * as z from 'zod';
import { refusalOf, type Cedar } from './engine.ts';

/** An entity of the host in Cedar's JSON, such as a team or a group of tools. */
export interface CedarEntity {
  readonly uid: Readonly<TypeAndId>;
  readonly attrs?: Readonly<Record<string, CedarValueJson>>;
  readonly parents?: readonly Readonly<TypeAndId>[];
}

const Uid = z.strictObject({ type: z.string(), id: z.string() });

/** The schema of an entity; the engine checks its attributes. */
export const Entity = z.strictObject({
  uid: Uid,
  attrs: z.record(z.string(), z.unknown()).optional(),
  parents: z.array(Uid).optional(),
});

const keyOf = ({ type, id }: TypeAndId): string => JSON.stringify([type, id]);

/** An entity with all fields. */
export type FullEntity = EntityJson & { readonly uid: TypeAndId };

/** An entity of a request. Its attributes are texts, because Cedar reads a record as an entity where the schema has one. */
export type RequestEntity = FullEntity & { readonly attrs: Readonly<Record<string, string>> };

/** Merges the host's entities with those of a request; the request's attributes win. */
export type Entities = (ofRequest: readonly RequestEntity[]) => EntityJson[];

/** Reads the host's entities with the engine. Throws `definition_invalid` with the engine's message. */
export const readEntities = (
  cedar: Cedar,
  given: readonly CedarEntity[],
  schema: string | undefined,
): Entities => {
  const known = given.map(({ uid, attrs = {}, parents = [] }): FullEntity => {
    return { uid, attrs, parents: [...parents] };
  });
  const check = (entities: readonly FullEntity[], schema: string | null): void => {
    const answer = cedar.checkParseEntities({ entities: [...entities], schema });
    if (answer.type === 'failure') throw refusalOf('/entities', answer.errors);
  };
  check(known, null);
  // an agent or a tool is complete only together with a request
  if (schema !== undefined)
    check(
      known.filter(({ uid }) => uid.type !== 'Agent' && uid.type !== 'Tool'),
      schema,
    );
  const byKey = new Map(known.map((entity) => [keyOf(entity.uid), entity]));
  return (ofRequest) => {
    const all = new Map<string, EntityJson>(byKey);
    for (const { uid, attrs, parents } of ofRequest) {
      const host = byKey.get(keyOf(uid));
      all.set(keyOf(uid), { uid, attrs: { ...host?.attrs, ...attrs }, parents: host?.parents ?? parents });
    }
    return [...all.values()];
  };
};
