import type { UpContext } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { isCharterError, type Issue } from '../../base/errors.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import type { ContextOf } from '../kernel/up-context.ts';
import { loadClaim, loadDerive } from './semantics.ts';

/** The contexts of schemas: a schema is derived once. */
const derived = new WeakMap<StandardSchema, UpContext | null>();

/** Returns what deriving returns; `null` for a schema that prints no JSON Schema. */
const printable = <Result>(derive: () => Result): Result | null => {
  try {
    return derive();
  } catch (error) {
    if (isCharterError(error, 'definition_invalid')) return null;
    throw error;
  }
};

/** Returns a context without an inline schema: its constraints say the same. */
const brief = ({ schema, ...context }: UpContext): UpContext =>
  deepFreeze({ ...context, ...(typeof schema === 'string' && { schema }) });

const loadContexts = async (): Promise<ContextOf> => {
  const { deriveContext } = await loadDerive();
  const derive = (schema: StandardSchema): UpContext | null =>
    printable(() => brief(deriveContext(schema, { side: 'output' })));
  return (schema) => {
    if (schema === undefined) return undefined;
    const known = derived.get(schema);
    if (known !== undefined) return known ?? undefined;
    const context = derive(schema);
    derived.set(schema, context);
    return context ?? undefined;
  };
};

let loading: Promise<ContextOf> | undefined;
let loaded: ContextOf | undefined;

const load = async (): Promise<ContextOf> => {
  loading ??= loadContexts();
  loaded = await loading;
  return loaded;
};

/** Returns what derives contexts, and loads it at its first use. */
export const contexts = (): ContextOf | Promise<ContextOf> => loaded ?? load();

/**
 * Returns the context of a draft: what the schema of its payload says, with what the model adds; or where the model
 * contradicts the schema (UpFormat 2.2). Without a schema, the model's own words stand.
 */
export const meaningOf = async (
  schema: StandardSchema | undefined,
  claim: UpContext | undefined,
): Promise<{ readonly context: UpContext | undefined } | { readonly issues: readonly Issue[] }> => {
  if (schema === undefined) return { context: claim };
  const context = (await contexts())(schema);
  if (context === undefined || claim === undefined) return { context: context ?? claim };
  const { claimIssues, withClaim } = await loadClaim();
  const { deriveContext } = await loadDerive();
  const sides = (['input', 'output'] as const).map(
    (side) => printable(() => deriveContext(schema, { side }).schema) ?? undefined,
  );
  const issues = claimIssues(context, claim, sides);
  return issues.length > 0 ? { issues } : { context: withClaim(context, claim) };
};
