import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { OperationalState, type UpFormatMessage } from '../../../schema/index.ts';
import { runs } from '../../machines/generated.ts';
import { run } from './run.ts';
import { share } from '../../share.ts';

const log = vi.spyOn(console, 'log').mockReturnValue();
const { deskOf } = await import('../../../docs/examples/rules.ts'); // it is a program: it prints
log.mockRestore();

const straight = 'straight through';
const money = 'schema:MonetaryAmount';
const desks = new Set<string>([straight, 'who can answer', 'finance', 'privacy', 'duty officer']);

interface RoutedFields {
  readonly state: OperationalState;
  readonly confidence?: number;
  readonly canProceed?: boolean;
  readonly concepts?: readonly string[];
}

const messageOf = ({ state, concepts, ...upThought }: RoutedFields): UpFormatMessage => ({
  messageId: '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10',
  threadId: '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e11',
  timestamp: '2026-01-01T00:00:00.000Z',
  state,
  payload: {},
  explanation: '',
  upThought,
  ...(concepts && { upContext: { concepts: [...concepts] } }),
});
const route = (said: RoutedFields): Promise<string> => deskOf(messageOf(said));

const members = {
  state: fc.oneof(fc.constant('completed' as const), fc.constantFrom(...OperationalState.options)),
  confidence: fc.oneof(
    fc.constantFrom(0, 0.79, 0.795, 0.7999, 0.8, 0.80001, 1),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
  canProceed: fc.boolean(),
  concepts: fc.array(fc.constantFrom(money, 'schema:Person', 'schema:Offer', '')),
};
const complete = fc.record(members);
const partial = fc.record(members, { requiredKeys: ['state'] });

/** The same rules, read from what they are to say. */
const expected = ({ state, confidence, canProceed, concepts }: RoutedFields): string => {
  if (confidence === undefined || concepts === undefined) return 'duty officer';
  if (state !== 'needsHumanDecision' && canProceed === undefined) return 'duty officer';
  if (state === 'needsHumanDecision' || canProceed === false) return 'who can answer';
  if (concepts.includes(money) && confidence < 0.8) return 'finance';
  return concepts.includes('schema:Person') && state === 'completed' ? 'privacy' : straight;
};

it('routes agent messages by rules without a language model', async () => {
  const { stdout, stderr, code } = await run('rules.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "completed, 0.95, true, [schema:MonetaryAmount] -> straight through
    completed, 0.75, true, [schema:MonetaryAmount] -> finance
    completed, 0.95, true, [schema:Person] -> privacy
    completed, 0.95, true, [] -> duty officer
    needsHumanDecision, 0.95, false, [schema:MonetaryAmount] -> who can answer
    "
  `);
});

describe('Rules over upThought [UpFormat 2.4]', () => {
  it('send every message to exactly one recipient: the matching one, or a person if they cannot be evaluated', async () => {
    const seen = new Map([...desks].map((desk) => [desk, 0]));
    await fc.assert(
      fc.asyncProperty(partial, async (said) => {
        const desk = await route(said);
        expect(desk).toBe(expected(said));
        seen.set(desk, (seen.get(desk) ?? 0) + 1);
      }),
      runs(share(1000, 400)),
    );
    expect(new Set(seen.keys())).toEqual(desks);
    expect(Math.min(...seen.values())).toBeGreaterThan(2);
  });

  it('route a message the same way each time, whatever came between and whatever else it says', async () => {
    await fc.assert(
      fc.asyncProperty(partial, partial, fc.string(), async (said, between, explanation) => {
        const first = await route(said);
        await route(between);
        expect(await deskOf({ ...messageOf(said), explanation, payload: { desk: straight } })).toBe(first);
      }),
      runs(share(300, 100)),
    );
  });

  it('never let a message with less confidence or fewer fields skip a person', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(complete, members.confidence, async (said, other) => {
        const sure = { ...said, confidence: Math.max(said.confidence, other) };
        if ((await route(sure)) === straight) return;
        held += 1;
        expect(await route({ ...sure, confidence: Math.min(said.confidence, other) })).not.toBe(straight);
        for (const left of ['confidence', 'canProceed', 'concepts'] as const) {
          const { [left]: _left, ...rest } = sure;
          expect(await route(rest)).not.toBe(straight);
        }
      }),
      runs(share(1000, 400)),
    );
    expect(held).toBeGreaterThan(100);
  });

  it('ask a person about a message that the engine cannot read', async () => {
    const unreadable: RoutedFields = {
      state: 'completed',
      confidence: 1,
      canProceed: true,
      concepts: ['\ud800'],
    };
    expect(await route(unreadable)).toBe('duty officer');
  });

  it.each(['confidence', 'canProceed', 'concepts'] as const)(
    'ask a person about a message without %s',
    async (left) => {
      const allFields: RoutedFields = { state: 'completed', confidence: 1, canProceed: true, concepts: [] };
      expect(await route(allFields)).toBe(straight);
      const { [left]: _left, ...rest } = allFields;
      expect(await route(rest)).toBe('duty officer');
    },
  );
});
