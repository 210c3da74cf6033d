import { lazily } from '../../base/boundary/lazily.ts';

/**
 * What derives contexts, loaded at first use and kept: an `import()` of a loaded module may take real time, through
 * hooks in another thread.
 */
export const loadDerive = lazily(async () => {
  const { deriveContext } = await import('../../optional/semantics/derive/derive.ts');
  return { deriveContext };
});

/** What compares a model's context with that of a schema. */
export const loadClaim = lazily(async () => {
  const { claimIssues, withClaim } = await import('../../optional/semantics/derive/claim.ts');
  return { claimIssues, withClaim };
});

/** What maps payloads. */
export const loadMediation = lazily(async () => {
  const { applyMapping } = await import('../../optional/semantics/mediate/apply.ts');
  const { deriveContext } = await loadDerive();
  const { mediate } = await import('../../optional/semantics/mediate/mediate.ts');
  return { applyMapping, deriveContext, mediate };
});
