import { loadedOnce } from '../../base/boundary/lazily.ts';

/** What derives contexts. */
export const loadDerive = loadedOnce(() => import('../../optional/semantics/derive/derive.ts'));

/** What compares a model's context with that of a schema. */
export const loadClaim = loadedOnce(() => import('../../optional/semantics/derive/claim.ts'));

/** What maps payloads. */
export const loadMediation = loadedOnce(async () => {
  const { applyMapping } = await import('../../optional/semantics/mediate/apply.ts');
  const { deriveContext } = await loadDerive();
  const { mediate } = await import('../../optional/semantics/mediate/mediate.ts');
  return { applyMapping, deriveContext, mediate };
});
