import { loadedOnce } from '../../base/boundary/lazily.ts';

/** What derives contexts. */
export const loadDerive = loadedOnce(async () => {
  const { deriveContext } = await import('../../optional/semantics/derive/derive.ts');
  return { deriveContext };
});

/** What compares a model's context with that of a schema. */
export const loadClaim = loadedOnce(async () => {
  const { claimIssues, withClaim } = await import('../../optional/semantics/derive/claim.ts');
  return { claimIssues, withClaim };
});

/** What maps payloads. */
export const loadMediation = loadedOnce(async () => {
  const { applyMapping } = await import('../../optional/semantics/mediate/apply.ts');
  const { deriveContext } = await loadDerive();
  const { mediate } = await import('../../optional/semantics/mediate/mediate.ts');
  return { applyMapping, deriveContext, mediate };
});
