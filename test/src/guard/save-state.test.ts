import { expect, it } from 'vitest';
import { jsonValue } from '../../../src/base/canonical/json-value.ts';
import { saveState } from '../../../src/guard/save-state.ts';

it('A state that is no JSON is refused: only one that is too large is told by a warning', async () => {
  const run = { taskId: 't', saveState: async (state: unknown) => void jsonValue(state, 'the state') };
  await expect(saveState(run, new Map(), 'keep it')).rejects.toMatchObject({ code: 'value_not_json' });
});
