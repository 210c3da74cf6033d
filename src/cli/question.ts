import * as z from 'zod';
import { markedLines, oneLine, visibleJson } from '../boundary/foreign-text.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';
import type { Printer } from './printer.ts';
import { faint } from './printer.ts';

/** Something that may be ranked: its name, and what is shown of it. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

const Ranked = z.array(z.looseObject({ id: z.string() })).min(1);

const labelOf = (choice: Readonly<Record<string, unknown>>): string =>
  ['name', 'title', 'explanation'].map((key) => choice[key]).find((said) => typeof said === 'string') ?? '';

/** What a ranking may name: the alternatives of the output, or the one list of things with an `id` that is offered. */
export const choicesOf = ({ message: { payload, upThought } }: InboxEntry): readonly Choice[] => {
  const [list] = [upThought?.alternatives, ...Object.values(payload)].flatMap((one) => {
    const read = Ranked.safeParse(one);
    return read.success ? [read.data] : [];
  });
  return (list ?? []).map((choice) => ({ id: choice.id, label: labelOf(choice) }));
};

/** What is asked for, field by field (UpFormat 3.1). */
export const fieldsOf = ({ message: { upContext } }: InboxEntry): readonly (readonly [string, string])[] =>
  Object.entries(upContext?.fields ?? {}).map(([path, field]) => [
    path,
    typeof field === 'string' ? field : field.description,
  ]);

/** What a person has to know before they answer: who asks what, what it is about, and what each answer leads to. */
export const printQuestion = async (entry: InboxEntry, printer: Printer): Promise<void> => {
  const { question, message, taskId } = entry;
  await printer.lines(
    `${oneLine(message.agentId ?? 'a task')} asks (${question.kind}): ${markedLines(message.explanation)}`,
  );
  await printer.line(faint(`  message ${message.messageId} of task ${taskId}`));
  const { question: _asked, ...about } = message.payload;
  if (Object.keys(about).length > 0)
    for (const line of visibleJson(about, 2).split('\n')) await printer.line(`  ${line}`);
  const choices = question.accepts.includes('rank') ? choicesOf(entry) : [];
  for (const [at, { id, label }] of choices.entries()) await printer.line(`  ${at + 1}. ${id}  ${label}`);
  for (const type of question.accepts)
    await printer.line(
      `  ${type.padEnd(12)}${question.consequences[type] ?? 'It is recorded; the question stays open.'}`,
    );
  if (question.needsToken === true)
    await printer.line('  An approval needs a signed token beside it: --approval.');
  const { deadline, byDefault } = question;
  if (deadline !== null)
    await printer.line(
      `  Until ${deadline}; then ${byDefault === null ? 'the task fails' : `this is taken: ${visibleJson(byDefault)}`}.`,
    );
};
