import { isCharterError, type Orchestrator } from 'agentcharter';
import type { Notifier, QuestionNotice } from 'agentcharter/console';
import { Hono } from 'hono';
import { z } from 'zod';
import { isSigned } from './signature.ts';

/** Where Slack takes messages, and the secret with which it signs what it sends. */
interface SlackOptions {
  readonly webhook: string;
  readonly signingSecret: string;
  /** Returns your user of a user of Slack; `undefined` for a stranger. */
  readonly userOf: (slackId: string) => string | undefined;
}

/** `plain_text`, so that nothing that a model wrote becomes a link or a mention. */
const says = (text: string) => ({
  type: 'section',
  text: { type: 'plain_text', text: text.slice(0, 3000), emoji: false },
});

const labels = { approve: 'Approve', reject: 'Reject' } as const;

const asMessage = ({ summary, content, accepts, messageId }: QuestionNotice) => {
  const buttons = (['approve', 'reject'] as const)
    .filter((answer) => accepts.includes(answer))
    .map((answer) => ({
      type: 'button',
      action_id: answer,
      value: messageId,
      text: { type: 'plain_text', text: labels[answer] },
    }));
  const actions = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  const { reasons = [] } = content ?? {};
  return { text: 'A person is needed.', blocks: [says([summary, ...reasons].join('\n')), ...actions] };
};

const post = async (url: string, body: object, signal: AbortSignal | null = null): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!sent.ok) throw new Error(`Slack answered ${sent.status}`);
};

/** Posts each question to a channel. */
export const slackNotifier = ({ webhook }: SlackOptions): Notifier => ({
  notify: async (notice, signal) => {
    if (notice.event === 'question') await post(webhook, asMessage(notice), signal);
  },
});

const Pressed = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  actions: z.tuple([z.object({ action_id: z.enum(['approve', 'reject']), value: z.string() })]),
  response_url: z.url(),
});

/** Takes what Slack posts when a person presses a button. */
export const createSlackActions = (
  orchestrator: Orchestrator,
  { signingSecret, userOf }: SlackOptions,
): Hono =>
  new Hono().post('/', async (c) => {
    const body = await c.req.text(); // as it was signed
    if (!isSigned(signingSecret, c.req.raw.headers, body)) return c.text('This is not signed by Slack.', 401);
    const payload: unknown = JSON.parse(new URLSearchParams(body).get('payload') ?? 'null');
    const { user, actions, response_url } = Pressed.parse(payload);
    const [{ action_id: type, value: target }] = actions;
    const by = userOf(user.id);
    const only = { response_type: 'ephemeral', replace_original: false }; // for this person only
    const refused = (why: string) => post(response_url, { ...only, text: why, blocks: [says(why)] });
    if (by === undefined) {
      await refused('Your Slack user belongs to no user of this shop.');
      return c.body(null);
    }
    try {
      await orchestrator.respond({ type, target }, { by });
      const text = `${type === 'approve' ? 'Approved' : 'Rejected'} by ${by}.`;
      await post(response_url, { replace_original: true, text, blocks: [says(text)] });
    } catch (error) {
      if (!isCharterError(error)) throw error;
      const isForbidden = isCharterError(error, 'identity_refused');
      await refused(isForbidden ? 'A clerk decides this, and no one for themselves.' : error.message);
    }
    return c.body(null);
  });
