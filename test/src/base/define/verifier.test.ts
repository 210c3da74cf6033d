import { describe, expect, it } from 'vitest';
import { defineVerifier } from '../../../../src/index.ts';

const verify = () => ({ checks: [] });

describe('a verifier', () => {
  it('has a name and a function, and is frozen', () => {
    const verifier = defineVerifier({ id: 'mails', verify });
    expect(verifier).toEqual({ id: 'mails', verify });
    expect(Object.isFrozen(verifier)).toBe(true);
  });

  it.each<[object, string]>([
    [{ id: '' }, '/id'],
    [{ id: 'é' }, '/id'],
    [{ id: 'x'.repeat(129) }, '/id'],
    [{ verify: 'pass' }, '/verify'],
  ])('%j is rejected, and the error names the path', (more, path) => {
    expect(() => defineVerifier({ id: 'mails', verify, ...more })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'verifier', issues: [expect.objectContaining({ path })] },
      }),
    );
  });
});
