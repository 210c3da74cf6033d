import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Turn } from 'agentcharter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { agents } from '../../../../docs/examples/shortlisting/agents.ts';
import {
  given,
  key,
  openEndpoint,
  raw,
  completion,
  type Received,
  type Reply,
} from '../../../src/adapters/openai-compatible/endpoint.ts';
import { run, type Ran } from '../run.ts';

interface Asked {
  readonly messages: readonly { readonly content: string }[];
  readonly response_format: { readonly json_schema: { readonly schema: object } };
}
const askedIn = ({ body }: Received) => body as Readonly<Record<string, unknown>> & Asked;

const turnIn = (received: Received): Turn =>
  JSON.parse(askedIn(received).messages[1]?.content.split('\n')[4] ?? '') as Turn;

const Letter = z.looseObject({
  calls: z.array(
    z.looseObject({
      arguments: z.looseObject({ candidates: z.array(z.looseObject({ email: z.string() })) }),
    }),
  ),
});

/** The shape that is asked for names the tool's own arguments: such a model names the recipients itself. */
const addressed = (answer: unknown): unknown => {
  const { data } = Letter.safeParse(answer);
  const [call] = data?.calls ?? [];
  if (data === undefined || call === undefined) return answer;
  const { candidates, ...letter } = call.arguments;
  const recipients = candidates.map(({ email }) => email);
  return { ...data, calls: [{ ...call, arguments: { ...letter, recipients } }] };
};

/** The example's own agents, behind the wire; each of their answers fits the shape that was asked for. */
const agentsReply: Reply = async (response, received) => {
  const answer = addressed(await agents.answer(turnIn(received), given()));
  const { schema } = askedIn(received).response_format.json_schema;
  const isFitting = new Ajv2020({ strict: false }).validate(schema, { answer });
  return (isFitting ? completion({ answer }) : raw(500))(response, received);
};

/** The same, until it comes to a letter: that goes to somebody else. */
const stranger: Reply = async (response, received) => {
  const turn = turnIn(received);
  if (turn.taskClass === 'recommendation' || turn.asks === 'plan') return agentsReply(response, received);
  const letter = { recipients: ['mallory@example.org'], subject: 'Hello', body: 'You are hired.' };
  const calls = [{ tool: 'email.send', arguments: letter }];
  return completion({
    answer: { canProceed: true, confidence: 0.9, calls, explanation: 'The evidence said so.' },
  })(response, received);
};

let directory: string;
const keyOfHost = process.env['OPENAI_API_KEY'];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'language-model-test-'));
  process.env['OPENAI_API_KEY'] = key;
});
afterEach(async () => {
  await rm(directory, { recursive: true });
  delete process.env['OPENAI_API_KEY'];
  if (keyOfHost !== undefined) process.env['OPENAI_API_KEY'] = keyOfHost;
});

const start = (url: string, ...args: readonly string[]): Promise<Ran> => {
  const parts = {
    '--model': url,
    '--model-name': 'small',
    '--answers': 'docs/examples/shortlisting/answers.json',
    '--mail': join(directory, 'mail'),
    '--store': join(directory, 'tasks.db'),
  };
  return run('shortlisting/main.ts', [...Object.entries(parts).flat(), ...args]);
};

describe('The hiring workflow with a language model behind an endpoint', () => {
  it('delivers over the wire alone, through the same gates', async () => {
    const { url, received } = await openEndpoint(agentsReply);
    const { code, stdout, stderr } = await start(url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(received.map((one) => [turnIn(one).taskClass, turnIn(one).asks])).toEqual([
      ['recommendation', 'plan'],
      ['recommendation', 'plan'],
      ['recommendation', 'draft'],
      ['invitation', 'plan'],
      ['invitation', 'draft'],
      ['invitation', 'draft'],
    ]);
    for (const { headers, body } of received) {
      expect(headers).toMatchObject({ authorization: `Bearer ${key}`, traceparent: expect.any(String) });
      expect(body['model']).toBe('small');
    }
    const [told] = received.map((one) => askedIn(one).messages[0]?.content);
    expect(told).toContain('freelancers.search');
    const sent = await readdir(join(directory, 'mail'));
    expect(sent).toHaveLength(2);
    const stored = await readFile(join(directory, 'tasks.db'), 'latin1');
    for (const text of [stdout, stored]) expect(text).not.toContain(key);
  });

  it('sends no mail to a person that the model invented', async () => {
    const { url } = await openEndpoint(stranger);
    const { code } = await start(url, '--json');
    expect(code).not.toBe(0);
    expect(await readdir(join(directory, 'mail')).catch(() => [])).toEqual([]);
  });

  it('fails with a reason when the endpoint refuses the key', async () => {
    const { url } = await openEndpoint(raw(401, '{"error":{"code":"invalid_api_key"}}'));
    const { code, stdout } = await start(url);
    expect(code).toBe(1);
    expect(stdout).toContain('The model, or the agent in its place, threw');
    expect(stdout).toContain('invalid_api_key');
  });
});
