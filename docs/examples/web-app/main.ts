import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { notifyPeople } from 'agentcharter/console';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { Pool } from 'pg';
import { z } from 'zod';
import { createAgent } from './agent.ts';
import { createChat } from './chat.ts';
import { createSlackActions, slackNotifier } from './slack.ts';
import { openTurns, tables } from './turns.ts';

const settings = z
  .object({
    DATABASE_URL: z.url(),
    COOKIE_SECRET: z.string().min(32),
    PASSWORD: z.string().min(1),
    SLACK_WEBHOOK_URL: z.url(),
    SLACK_SIGNING_SECRET: z.string().min(1),
    PORT: z.coerce.number().default(3000),
  })
  .parse(process.env);

// Your users go here.
const users = [
  { name: 'ada', slack: 'U0ADA', isClerk: false },
  { name: 'eve', slack: 'U0EVE', isClerk: false },
  { name: 'dana', slack: 'U0DANA', isClerk: true },
];

const pool = new Pool({ connectionString: settings.DATABASE_URL });
pool.on('error', (error) => console.error(error)); // a connection broke; the pool opens another one
await pool.query(tables);

const turns = openTurns(pool);
const agent = createAgent({
  connectionString: settings.DATABASE_URL,
  pool,
  turns,
  isClerk: (user) => users.some(({ name, isClerk }) => name === user && isClerk),
});
agent.orchestrator.on('error', (error) => console.error(error)); // your alarms go here

const slack = {
  webhook: settings.SLACK_WEBHOOK_URL,
  signingSecret: settings.SLACK_SIGNING_SECRET,
  userOf: (slackId: string) => users.find((user) => user.slack === slackId)?.name,
};
const stopNotices = notifyPeople(agent.orchestrator, slackNotifier(slack), { withContent: true });

const cookie = 'user';
/** Refuses who is not signed in. */
const signedIn = createMiddleware<{ Variables: { user: string } }>(async (c, next) => {
  const user = await getSignedCookie(c, settings.COOKIE_SECRET, cookie);
  if (typeof user !== 'string') return c.text('Sign in first.', 401); // false if someone changed it
  c.set('user', user);
  return next();
});

const app = new Hono()
  .use(bodyLimit({ maxSize: 1024 * 1024 }))
  .get('/', async (c) => c.html(await readFile(new URL('page.html', import.meta.url), 'utf8')))
  // Your sign-in goes here: OAuth, passkeys, … In this one, all users have one password.
  .post('/sign-in', async (c) => {
    const given = z.object({ name: z.string(), password: z.literal(settings.PASSWORD) });
    const { success, data } = given.safeParse(await c.req.json().catch(() => null));
    if (!success || !users.some(({ name }) => name === data.name)) return c.text('Unknown user.', 401);
    const secure = process.env['NODE_ENV'] === 'production'; // behind TLS
    const options = { httpOnly: true, sameSite: 'Strict', secure, maxAge: 8 * 60 * 60 } as const;
    await setSignedCookie(c, cookie, data.name, settings.COOKIE_SECRET, options);
    return c.body(null, 204);
  })
  .use('/api/*', signedIn)
  .route('/api/chat', createChat(agent, turns))
  .route('/slack/actions', createSlackActions(agent.orchestrator, slack));

// Before the first request: what was approved while no server ran goes on.
await agent.orchestrator.recover();
const server = serve({ fetch: app.fetch, port: settings.PORT, hostname: '127.0.0.1' });
await once(server, 'listening');
console.log(`http://127.0.0.1:${settings.PORT}`);

await Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)));
stopNotices();
await agent.close({ drain: 10_000 }); // calls end; tasks stay in the store
server.close();
await pool.end();
