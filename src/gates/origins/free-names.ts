import { isObject } from '../../base/boundary/is-object.ts';
import { membersOf } from '../../base/boundary/issues-of.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { IsFreeName } from './origins.ts';

const collect = (schema: unknown, names: Set<unknown>): void => {
  if (typeof schema !== 'object' || schema === null) return;
  if (isObject(schema)) {
    const { properties, required, propertyNames } = schema;
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    for (const listed of [required, isObject(propertyNames) ? propertyNames['enum'] : undefined])
      if (Array.isArray(listed)) for (const name of listed) names.add(name);
  }
  for (const below of Object.values(schema)) collect(below, names);
};

const known = new WeakMap<Tool, IsFreeName>();

const patternNames = ({ flows = {}, labels = {} }: Tool): readonly string[] =>
  [...Object.keys(flows), ...(typeof labels === 'string' ? [] : Object.keys(labels))].flatMap(membersOf);

/**
 * Returns which names of members in a tool's arguments its author did not write: those that neither the schema of its
 * input nor a pattern of its flows has. All of them, if the schema is no JSON Schema.
 */
export const freeNamesOf = (tool: Tool): IsFreeName => {
  const found = known.get(tool);
  if (found !== undefined) return found;
  const names = new Set<unknown>(patternNames(tool));
  try {
    collect(jsonSchemaOf(tool.input, 'input', true), names);
  } catch {
    // its names are not known
  }
  const isFree: IsFreeName = ({ value }) => !names.has(value);
  known.set(tool, isFree);
  return isFree;
};
