import type { CedarValueJson, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs';
import * as z from 'zod';
import { refusalOf, type Cedar } from './engine.ts';

/** An entity of the host's, in Cedar's own JSON: who is in which team, which tool in which group. */
export interface CedarEntity {
  readonly uid: Readonly<TypeAndId>;
  readonly attrs?: Readonly<Record<string, CedarValueJson>>;
  readonly parents?: readonly Readonly<TypeAndId>[];
}

const Uid = z.strictObject({ type: z.string(), id: z.string() });

/** What an entity may say; whether its attributes are Cedar's is for the engine to tell. */
export const Entity = z.strictObject({
  uid: Uid,
  attrs: z.record(z.string(), z.unknown()).optional(),
  parents: z.array(Uid).optional(),
});

const keyOf = ({ type, id }: TypeAndId): string => JSON.stringify([type, id]);

/** An entity in full. */
export type FullEntity = EntityJson & { readonly uid: TypeAndId };

/** The host's entities and those of a request; what a request says of an attribute stands. */
export type Entities = (ofRequest: readonly FullEntity[]) => EntityJson[];

/** Has the engine read the host's entities. Throws `definition_invalid` in the engine's words. */
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
  // an agent or a tool has all of its attributes only together with a request
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
