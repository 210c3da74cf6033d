import { setTimeout } from 'node:timers/promises';
import { isCharterError } from 'agentcharter';
import { createUIMessageStream, createUIMessageStreamResponse, toUIMessageChunk } from 'ai';
import type { TextStreamPart, ToolSet, UIMessage } from 'ai';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Agent, Standing } from './agent.ts';
import { keyOf, Message, type Turns } from './turns.ts';

/** A message as `useChat` has it. Until it has metadata, its parts are a draft that no one has checked. */
type ChatMessage = UIMessage<Standing>;

/** The body that `useChat` posts. Only the last message counts. */
const Sent = z.object({
  id: Message.shape.chat,
  messages: z.array(z.unknown()).transform((messages) => messages.at(-1)),
});
const Last = z.object({
  id: Message.shape.id,
  role: z.literal('user'),
  parts: z.array(z.object({ type: z.string(), text: z.string().default('') })),
});

const answerId = ({ id }: Message): string => `${id}-answer`;
const asText = (text: string) => [{ type: 'text' as const, text }];

/** The routes of `useChat`, below the sign-in, which sets `user`. */
export const createChat = ({ parts, begin, standing }: Agent, turns: Turns) => {
  /** Streams the draft of an answer while its task works, then where the task stands. */
  const streamed = (message: Message): Response => {
    const stream = createUIMessageStream<ChatMessage>({
      execute: async ({ writer }) => {
        const open = new Set<string>();
        const show = (part: TextStreamPart<ToolSet>) => {
          if (part.type === 'text-start') open.add(part.id);
          const isText = part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end';
          if (!isText || !open.has(part.id)) return; // who comes later did not see its start
          const chunk = toUIMessageChunk<ToolSet, ChatMessage>(part, { sendStart: false, sendFinish: false });
          if (chunk !== undefined) writer.write(chunk);
        };
        writer.write({ type: 'start', messageId: answerId(message) });
        parts.on(keyOf(message), show);
        try {
          const task = await begin(message);
          let messageMetadata = await standing(task);
          while (messageMetadata.status === 'working') {
            await setTimeout(200);
            messageMetadata = await standing(task);
          }
          writer.write({ type: 'finish', messageMetadata });
        } finally {
          parts.off(keyOf(message), show);
        }
      },
      onError: (error) => (isCharterError(error) ? error.message : 'It failed. Send it again.'),
    });
    return createUIMessageStreamResponse({ stream, keepAliveMs: 15_000 });
  };

  return (
    new Hono<{ Variables: { user: string } }>()
      .post('/', async (c) => {
        const sent = Sent.safeParse(await c.req.json().catch(() => null));
        const last = Last.safeParse(sent.data?.messages);
        const message = Message.safeParse({
          user: c.get('user'),
          chat: sent.data?.id,
          id: last.data?.id,
          text: last.data?.parts.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
        });
        return message.success ? streamed(message.data) : c.text('Expected a text of the user.', 400);
      })
      .get('/:chat', async (c) => {
        const saved = await turns.list(c.get('user'), c.req.param('chat'));
        const pairs = saved.map(async (turn): Promise<readonly ChatMessage[]> => {
          const metadata = await standing(turn.task);
          return [
            { id: turn.id, role: 'user', parts: asText(turn.text) },
            { id: answerId(turn), role: 'assistant', parts: asText(metadata.text), metadata },
          ];
        });
        return c.json((await Promise.all(pairs)).flat());
      })
      // What `resumeStream()` of `useChat` asks: 204 while the last message waits for a person.
      .get('/:chat/stream', async (c) => {
        const last = (await turns.list(c.get('user'), c.req.param('chat'))).at(-1);
        const isWaiting = last === undefined || (await standing(last.task)).status === 'waiting';
        return isWaiting ? c.body(null, 204) : streamed(Message.parse(last));
      })
  );
};
