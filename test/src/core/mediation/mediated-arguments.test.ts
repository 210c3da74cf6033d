import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Given } from '../shell/scene.ts';
import { scene } from '../shell/scene.ts';
import { call, draft, further, plan, readTool, writeTool } from '../shell/scripted.ts';
import { settle } from '../shell/simulated-clock.ts';

const candidate = z.object({
  name: z.string().describe('full name'),
  email: z.email().describe('contact address'),
});
const Shortlist = z.object({ candidates: z.array(candidate) });
const Mail = z.strictObject({
  recipients: z.array(z.email()).min(1).describe('email addresses'),
  subject: z.string(),
});

type Form = z.ZodType<Readonly<Record<string, unknown>>>;

const candidates = [
  { name: 'Inês Moreira', email: 'ines@example.org' },
  { name: 'Ada Byron', email: 'ada@example.org' },
];
const addresses = ['ines@example.org', 'ada@example.org'];

const search = (output: z.ZodType = Shortlist, result: unknown = { candidates }) =>
  readTool('search', { output, call: () => result });

const mailer = (input: Form = Mail) => {
  const sent: unknown[] = [];
  const mail = writeTool('mail', { input, call: (input) => (sent.push(input), { sent: true }) });
  return { mail, sent };
};

const invites = (passedOn: Readonly<Record<string, unknown>>, given: Given = {}) => {
  const { mail, sent } = mailer();
  const made = scene({
    model: [plan([call('search')]), further(call('mail', { ...passedOn, subject: 'Hello' })), draft()],
    tools: [search(), mail],
    ...given,
  });
  return { ...made, sent, mail };
};

type Made = ReturnType<typeof scene>;

// what is loaded at its first use takes longer than a scene waits
beforeAll(async () => {
  await import('../../../../src/optional/semantics/index.ts');
});

/** Waits until nothing happens any more: mapping takes several turns of the event loop. */
const calm = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await settle();
};
const submitted = async (made: Made): Promise<string> => {
  const taskId = await made.submit();
  await calm();
  return taskId;
};

const threadOf = async ({ orchestrator }: Made, taskId: string) => {
  const task = (await orchestrator.list()).find((one) => one.taskId === taskId);
  return orchestrator.thread(task?.threadId ?? '');
};

describe('arguments that their tool refuses [UpFormat 3.2]', () => {
  it('are mapped by meaning before the action has a digest: the policy and the approver see what is sent', async () => {
    const invited = invites({ candidates }, { policy: 'needs_review' });
    const taskId = await submitted(invited);
    const { message } = await invited.question();
    const sent = { recipients: addresses, subject: 'Hello' };
    expect(message.payload['action']).toMatchObject({ tool: 'mail', arguments: sent });
    expect(invited.asked.map((request) => request.arguments)).toEqual([sent]);
    expect(message.upContext?.fields).toEqual({ 'action.arguments.recipients': 'email addresses' });
    await invited.answer('approve');
    await calm();
    expect(invited.sent).toEqual([sent]);
    expect(invited.stateOf(taskId)).toBe('completed.settled');
  });

  it('leave the mapping on record, and in the thread as a message of the orchestrator', async () => {
    const invited = invites({ candidates });
    const taskId = await submitted(invited);
    const records = await invited.orchestrator.ledger(taskId);
    const [made] = records.flatMap(({ brought: { calls = [] } }) =>
      calls.filter(({ tool }) => tool === 'mail'),
    );
    expect(made).toMatchObject({
      raw: { candidates, subject: 'Hello' },
      mapping: {
        from: 'the output of search',
        links: [{ from: 'candidates[].email', to: 'recipients[]', why: ['description', 'format'] }],
      },
    });
    const told = (await threadOf(invited, taskId)).find(({ payload }) => 'links' in payload);
    expect(told).toMatchObject({
      agentId: 'agentcharter',
      state: 'submitted',
      explanation:
        'The arguments of mail were mapped from the output of search: candidates[].email becomes recipients[].',
      payload: {
        tool: 'mail',
        from: 'the output of search',
        arguments: { recipients: addresses, subject: 'Hello' },
      },
      upContext: { fields: { 'arguments.recipients': 'email addresses' } },
    });
  });

  it('are said to be no output of the tool whose form they have, if it did not return them', async () => {
    const invited = invites({ candidates: [{ name: 'Mallory', email: 'mallory@example.org' }] });
    const taskId = await submitted(invited);
    const told = (await threadOf(invited, taskId)).find(({ payload }) => 'links' in payload);
    expect(told?.explanation).toContain(
      'mapped from data in the form of the output of search, which search did not return:',
    );
  });

  it('that lack a value with one possible value are asked about, and its alternative says so', async () => {
    const { mail, sent } = mailer(
      Mail.extend({ consent: z.literal(true).describe('the recipients agreed') }),
    );
    const invited = scene({
      model: [plan([call('search')]), further(call('mail', { candidates, subject: 'Hello' })), draft()],
      tools: [search(), mail],
    });
    const taskId = await submitted(invited);
    const { message, question } = await invited.question();
    expect(message.upThought?.questions).toEqual([
      'Nothing maps to consent (the recipients agreed): may it be true, the only value that it takes?',
    ]);
    const [only, ...others] = message.upThought?.alternatives ?? [];
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      explanation: expect.stringContaining('consent is true, which nothing but your choice says'),
    });
    expect(question.consequences?.approve).toBe('No call is made, and the model goes on without it.');
    await invited.answer('approve');
    await calm();
    expect(sent).toEqual([]);
    expect(invited.stateOf(taskId)).toBe('completed.settled');
  });

  it('that could be mapped in two ways are asked about by the orchestrator, and the choice is carried out', async () => {
    const two = z.object({
      candidates: z.array(
        z.object({
          home: z.email().describe('contact address'),
          work: z.email().describe('contact address'),
        }),
      ),
    });
    const people = [{ home: 'i@home.example', work: 'i@work.example' }];
    const { mail, sent } = mailer();
    const invited = scene({
      model: [
        plan([call('search')]),
        further(call('mail', { candidates: people, subject: 'Hello' })),
        draft(),
      ],
      tools: [search(two, { candidates: people }), mail],
    });
    const taskId = await submitted(invited);
    const { message, question } = await invited.question();
    expect(question).toMatchObject({ kind: 'plan' });
    expect(message).toMatchObject({
      agentId: 'agentcharter',
      upThought: {
        canProceed: false,
        confidence: 0,
        questions: ['Which source field becomes recipients[] (email addresses)?'],
      },
    });
    expect(sent).toEqual([]);
    const [first, second] = message.upThought?.alternatives ?? [];
    expect(first).toMatchObject({
      explanation: expect.stringContaining('candidates[].home becomes recipients[]'),
    });
    await invited.answer('rank', [second, first]);
    await calm();
    expect(sent).toEqual([{ recipients: ['i@work.example'], subject: 'Hello' }]);
    expect(invited.stateOf(taskId)).toBe('completed.settled');
  });

  it('are mapped from the message of another agent of the thread, by the context that came with it', async () => {
    const { mail, sent } = mailer();
    const waits = readTool('delegate', {
      call: (_, { met, notYet }) =>
        met ?? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' }),
    });
    const invited = scene({
      model: [plan([call('delegate')]), further(call('mail', { candidates, subject: 'Hello' })), draft()],
      tools: [waits, mail],
    });
    const taskId = await submitted(invited);
    const [task] = await invited.orchestrator.list();
    await invited.orchestrator.receive(
      {
        messageId: '00000000-0000-4000-8000-00000000abcd',
        threadId: task?.threadId,
        timestamp: '2026-11-21T05:00:00Z',
        state: 'completed',
        payload: { candidates },
        explanation: 'Scout found two.',
        upContext: {
          fields: { 'candidates[].email': 'contact address' },
          constraints: { 'candidates[].email': { type: 'string', format: 'email', required: true } },
        },
      },
      { agent_id: 'scout', owner_id: 'acme' },
    );
    await calm();
    expect(sent).toEqual([{ recipients: addresses, subject: 'Hello' }]);
    expect(invited.stateOf(taskId)).toBe('completed.settled');
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['of no known form', { people: addresses }],
    ['with a value that its form does not allow', { candidates: [{ name: 'Ada', email: 'ada' }] }],
    ['whose form has nothing for what is required', { candidates: [] }],
  ])('%s go back to the model with the issues of the schema', async (_, passedOn) => {
    const invited = invites(passedOn);
    await submitted(invited);
    expect(invited.turns.map(({ asks }) => asks)).toContain('correction');
    expect(invited.sent).toEqual([]);
  });
});

describe('a plan of a person with arguments that could be mapped in two ways', () => {
  it('is refused with the question', async () => {
    const two = z.object({
      people: z.array(
        z.object({ a: z.email().describe('contact address'), b: z.email().describe('contact address') }),
      ),
    });
    const { mail } = mailer();
    const made = scene({
      model: [plan([call('search')], { confidence: 0.1 }), draft()],
      tools: [search(two), mail],
    });
    await submitted(made);
    const people = [{ a: 'a@x.example', b: 'b@x.example' }];
    const edit = plan([call('mail', { people, subject: 'Hello' })]);
    await expect(made.answer('edit', { value: edit })).rejects.toThrow(
      'Which source field becomes recipients[]',
    );
  });
});

describe('a received message', () => {
  it('with a context of more than 32,768 characters is compared with nothing', async () => {
    const { mail, sent } = mailer();
    const waits = readTool('delegate', {
      call: (_, { met, notYet }) => met ?? notYet({ dependency: 'search', agent: 'scout', explanation: '' }),
    });
    const invited = scene({
      model: [plan([call('delegate')]), further(call('mail', { candidates, subject: 'Hello' })), draft()],
      tools: [waits, mail],
    });
    await invited.submit();
    const [task] = await invited.orchestrator.list();
    await invited.orchestrator.receive(
      {
        messageId: '00000000-0000-4000-8000-00000000abcd',
        threadId: task?.threadId,
        timestamp: '2026-11-21T05:00:00Z',
        state: 'completed',
        payload: { candidates },
        explanation: '',
        upContext: { fields: { 'candidates[].email': 'contact address', name: 'x'.repeat(32_768) } },
      },
      { agent_id: 'scout', owner_id: 'acme' },
    );
    await calm();
    expect(invited.turns.map(({ asks }) => asks)).toContain('correction');
    expect(sent).toEqual([]);
  });
});

describe('a correction after a person was asked', () => {
  it('still shows the model what was rejected', async () => {
    const made = scene({
      model: [
        { nonsense: true },
        { choice: 'needHuman', explanation: 'I do not know.' },
        { choice: 'fixed', output: plan(), explanation: 'as you say' },
        draft(),
      ],
    });
    await made.submit();
    await made.answer('instruction', 'a plan, please');
    expect(made.turns[2]).toMatchObject({ asks: 'correction', rejected: { output: { nonsense: true } } });
  });
});

describe('the output of a tool', () => {
  it('that its schema refuses counts as an error of the tool, with what the schema expects', async () => {
    const made = scene({
      model: [plan([call('search')]), draft()],
      tools: [search(Shortlist, { candidates: 3 })],
    });
    const taskId = await submitted(made);
    const [failed] = (await made.orchestrator.ledger(taskId)).filter(
      ({ fact }) => fact?.type === 'call.failed',
    );
    expect(failed?.brought.explanation).toContain('the result of tool search does not fit its output schema');
  });
});

describe('the context of a draft [UpFormat 2.2]', () => {
  const output = z
    .object({ email: z.email().describe('contact address'), rate: z.number().min(20) })
    .meta({ title: 'A freelancer' });
  const payload = { email: 'ada@example.org', rate: 85 };

  const drafted = async (upContext?: object) => {
    const made = scene({
      model: [plan(), draft(payload, { ...(upContext && { upContext }) })],
      taskClass: { output },
    });
    const taskId = await submitted(made);
    return { ...made, taskId };
  };
  const derived = {
    entity: 'A freelancer',
    fields: { email: 'contact address' },
    constraints: {
      email: expect.objectContaining({ type: 'string', format: 'email', required: true }),
      rate: { type: 'number', minimum: 20, required: true },
    },
  };

  it('is derived from the schema of its task class, and delivered with it', async () => {
    const { orchestrator, taskId } = await drafted();
    expect((await orchestrator.settled(taskId)).message.upContext).toMatchObject(derived);
  });

  it('keeps what the agent adds to the schema', async () => {
    const { orchestrator, taskId } = await drafted({
      concepts: ['schema:Person'],
      fields: { rate: 'euros an hour' },
      constraints: { rate: { minimum: 20 } },
    });
    expect((await orchestrator.settled(taskId)).message.upContext).toMatchObject({
      ...derived,
      concepts: ['schema:Person'],
      fields: { email: 'contact address', rate: 'euros an hour' },
    });
  });

  it.each<[string, object, string, string]>([
    [
      'another entity',
      { entity: 'An invoice' },
      '/upContext/entity',
      'the schema says "A freelancer", and not "An invoice"',
    ],
    [
      'another description',
      { fields: { email: 'sender' } },
      '/upContext/fields/email/description',
      'the schema says "contact address", and not "sender"',
    ],
    [
      'a field that is not there',
      { fields: { iban: 'account' } },
      '/upContext/fields/iban',
      'the schema has no such path',
    ],
    [
      'another range',
      { constraints: { rate: { minimum: 0 } } },
      '/upContext/constraints/rate/minimum',
      'the schema says 20, and not 0',
    ],
    [
      'a range that is not there',
      { constraints: { rate: { maximum: 99 } } },
      '/upContext/constraints/rate/maximum',
      'the schema says nothing, and not 99',
    ],
    [
      'another schema',
      { schema: { type: 'object' } },
      '/upContext/schema',
      'the payload was read with another schema',
    ],
  ])('that claims %s is refused, with the difference', async (_, upContext, path, message) => {
    const { turns } = await drafted(upContext);
    const { rejected } = turns.find(({ asks }) => asks === 'correction') ?? {};
    expect(rejected?.issues).toEqual([{ path, message }]);
  });
});
