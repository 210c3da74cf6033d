import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const AnswerType = z.enum(['edit', 'approve', 'reject', 'rank', 'comment', 'instruction']);

const Answers = z.strictObject({
  by: z.string().trim().min(1),
  answers: z.record(z.string(), z.strictObject({ type: AnswerType, content: z.unknown().default(null) })),
});

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  /** How long it may be answered, and what happens then. */
  readonly ends?: string;
  readonly accepts: readonly string[];
  readonly choices?: readonly { readonly id: string; readonly label: string }[];
  /** What is asked for: each name with its meaning. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly type: z.infer<typeof AnswerType>;
  readonly content: unknown;
  readonly by: string;
}

/** A person who answers a question, or skips it. */
export interface Human {
  answer(question: Question, signal: AbortSignal): Promise<Answer | undefined>;
}

/** No one answers here. Answers come from elsewhere. */
export const elsewhere: Human = {
  answer: (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    }),
};

/** Prepared answers: who gives them, and one for each kind of question. */
export type Answers = z.infer<typeof Answers>;

/** Reads a file of prepared answers. */
export async function readAnswers(path: string): Promise<Answers> {
  const text = await readFile(path, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON`, { cause });
  }
  const answers = Answers.safeParse(content);
  if (!answers.success) throw new Error(`${path} holds no answers\n${z.prettifyError(answers.error)}`);
  return answers.data;
}

/** A person who gives the prepared answer to each kind of question, once per question. */
export function scriptedHuman({ by, answers }: Answers): Human {
  const told = new Set<string>();
  return {
    async answer({ id, kind, accepts }, signal) {
      const answer = Object.hasOwn(answers, kind) ? answers[kind] : undefined;
      if (answer === undefined || signal.aborted || told.has(id)) return undefined;
      told.add(id);
      if (!accepts.includes(answer.type))
        throw new Error(`"${kind}" is answered with ${answer.type}; it accepts ${accepts.join(', ')}`);
      return { type: answer.type, content: answer.content, by };
    },
  };
}
