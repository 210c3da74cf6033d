import { lazily } from '../boundary/lazily.ts';

/**
 * What derives and maps contexts, loaded at first use and kept: an `import()` of a loaded module may take real time,
 * through hooks in another thread.
 */
export const loadDerive = lazily(() => import('../semantics/derive/derive.ts'));

/** What compares a model's context with that of a schema. */
export const loadClaim = lazily(() => import('../semantics/derive/claim.ts'));

/** What maps payloads. */
export const loadMediation = lazily(async () => {
  const [{ applyMapping }, { deriveContext }, { mediate }] = await Promise.all([
    import('../semantics/mediate/apply.ts'),
    loadDerive(),
    import('../semantics/mediate/mediate.ts'),
  ]);
  return { applyMapping, deriveContext, mediate };
});
