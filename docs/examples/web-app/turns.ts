import type { Pool } from 'pg';
import { z } from 'zod';

/** A message of a user in a chat. It is the request of one task. */
export const Message = z.object({
  user: z.string(),
  chat: z.string().min(1).max(100),
  id: z.string().min(1).max(100),
  text: z.string().min(1).max(4000),
});
export type Message = z.infer<typeof Message>;

/** The idempotency key of a message: sent again, it begins no second task. */
export const keyOf = ({ user, chat, id }: Message): string => JSON.stringify([user, chat, id]);

/** A message with its task. */
interface Turn extends Message {
  readonly task: string;
}

const maxId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const tables = `
  CREATE TABLE IF NOT EXISTS turn (
    "user" text, chat text, id text, text text NOT NULL, task uuid NOT NULL, PRIMARY KEY ("user", chat, id)
  );
  CREATE TABLE IF NOT EXISTS refund (key text PRIMARY KEY, order_id text NOT NULL, eur numeric NOT NULL);
`;

/** The chats in the database. The user is part of each key, so no one can read a chat of someone else. */
export const openTurns = (pool: Pool) => ({
  add: async ({ user, chat, id, text }: Message, task: string): Promise<void> => {
    const row = 'INSERT INTO turn VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING';
    await pool.query(row, [user, chat, id, text, task]);
  },
  /** Returns the last messages of a chat, oldest first: the ids of tasks sort by time. */
  list: async (user: string, chat: string, before = maxId): Promise<readonly Turn[]> => {
    const text = `SELECT * FROM turn WHERE "user" = $1 AND chat = $2 AND task < $3 ORDER BY task DESC LIMIT 20`;
    const { rows } = await pool.query<Turn>(text, [user, chat, before]);
    return rows.toReversed();
  },
});
export type Turns = ReturnType<typeof openTurns>;
