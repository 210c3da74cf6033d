import { createWire, type WireOptions } from 'agentcharter/adapters/http';
import { createGuard } from 'agentcharter/guard';
import { describe, expect, it, vi } from 'vitest';
import { served } from './served.ts';

const agent = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' };

/** Serves with an `identity` that returns a value for those who say that they are `stranger`, and knows the teller. */
const serving = async (value: unknown) => {
  const identity = ({ headers }: Request) => (headers.get('x-caller') === 'stranger' ? value : { agent });
  // a host in JavaScript returns what it likes
  const room = await served({ wire: { identity: identity as WireOptions['identity'] } });
  const taskId = await room.begin();
  return { ...room, taskId, before: await room.guard.orchestrator.ledger(taskId) };
};

describe('The caller that `identity` returns', () => {
  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['a misspelt member', { agents: agent }],
    ['an unknown member', { user: null }],
    ['a person without a name', { person: '' }],
    ['a person that is undefined', { person: undefined }],
    ['a person that is null', { person: null }],
    ['a person that is a number', { person: 7 }],
    ['a person without an id', { person: { roles: ['admin'] } }],
    ['a person with an empty id', { person: { id: '' } }],
    ['a person that is a list', { person: ['kim'] }],
    ['an agent that is null', { agent: null }],
    ['an agent without an owner', { agent: { agent_id: 'teller' } }],
    ['both an agent and a person', { agent, person: 'kim' }],
    ['an agent and an undefined person', { agent, person: undefined }],
    ['an inherited agent', Object.assign(Object.create({ agent }), { person: 'kim' })],
    ['an agent with an extra member', { agent, admin: true }],
    ['a text', 'kim'],
    ['a boolean', false],
    ['a list', [{ person: 'kim' }]],
    ['a function', () => ({ person: 'kim' })],
  ])('as %s is refused everywhere, and only the host learns why', async (_, value) => {
    const { ask, errors, guard, taskId, before } = await serving(value);
    const body = JSON.stringify({ feedback: { type: 'approve', target: taskId } });
    for (const [path, sent] of [
      [`/runs/${taskId}`, {}],
      [`/runs/${taskId}/envelopes`, {}],
      ['/feedback', { method: 'POST', body }],
      [`/runs/${taskId}/cancel`, { method: 'POST', body: '{}' }],
    ] as const) {
      const answered = await ask(path, { ...sent, as: 'stranger' });
      expect([answered.status, JSON.parse(answered.body)]).toEqual([
        500,
        expect.objectContaining({
          code: 'broken',
          detail: 'An internal error occurred. The host has its details.',
        }),
      ]);
    }
    expect(errors).toHaveLength(4);
    expect(errors[0]).toMatchObject({
      code: 'definition_invalid',
      message: expect.stringMatching(/^wire: identity returned .*expected exactly/),
      details: { definition: 'createWire' },
    });
    expect(await guard.orchestrator.ledger(taskId)).toEqual(before);
  });

  it.each([null, undefined])('as %s receives 401', async (value) => {
    const { ask, errors, taskId } = await serving(value);
    expect((await ask(`/runs/${taskId}`, { as: 'stranger' })).status).toBe(401);
    expect(errors).toEqual([]);
  });

  it.each([
    { person: 'kim' },
    { person: { id: 'kim', roles: ['desk'] } },
    { agent: { ...agent, team: 'x' } },
  ])('as exactly one role is admitted: %j', async (value) => {
    const { ask, taskId } = await serving(value);
    expect((await ask(`/runs/${taskId}`, { as: 'stranger' })).status).toBe(200);
  });

  it('that is refused is a warning where the host handles no errors', async () => {
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await using guard = createGuard({ taskClasses: [] });
    const wire = createWire(guard, { identity: () => ({}) as never });
    const url = await wire.listen();
    expect((await fetch(`${url}/runs/${crypto.randomUUID()}`)).status).toBe(500);
    const message = expect.stringMatching(/^the wire failed: .*identity returned something else/);
    expect(warning).toHaveBeenCalledWith(message, expect.objectContaining({ code: 'AGENTCHARTER_ERROR' }));
    warning.mockRestore();
    await wire.close();
  });
});
