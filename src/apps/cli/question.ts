import * as z from 'zod';
import { markedLines, oneLine, visibleJson } from '../../base/text/foreign-text.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import type { Printer } from './printer.ts';
import { faint } from './printer.ts';

/** A choice of a ranking: its id and its label. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

const Ranked = z.array(z.looseObject({ id: z.string() })).min(1);

const labelOf = (choice: Readonly<Record<string, unknown>>): string =>
  ['name', 'title', 'explanation'].map((key) => choice[key]).find((text) => typeof text === 'string') ?? '';

/**
 * Returns the choices of a ranking: the alternatives of the output, or the only list whose items have an
 * `id`.
 */
export const choicesOf = ({ message: { payload, upThought } }: InboxEntry): readonly Choice[] => {
  const [list] = [upThought?.alternatives, ...Object.values(payload)].flatMap((one) => {
    const read = Ranked.safeParse(one);
    return read.success ? [read.data] : [];
  });
  return (list ?? []).map((choice) => ({ id: choice.id, label: labelOf(choice) }));
};

/** Returns the requested fields (UpFormat 3.1). */
export const fieldsOf = ({ message: { upContext } }: InboxEntry): readonly (readonly [string, string])[] =>
  Object.entries(upContext?.fields ?? {}).map(([path, field]) => [
    path,
    typeof field === 'string' ? field : field.description,
  ]);

const Write = z.object({
  action: z.object({ tool: z.string(), arguments: z.unknown(), rollback: z.unknown() }),
  evidence: z.array(z.object({ source: z.string(), payload: z.unknown() })).optional(),
});

/** Returns what a question shows; of a write without its codes and digests, which `--json` has. */
const shownIn = ({ question, message: { payload } }: InboxEntry): Readonly<Record<string, unknown>> => {
  const { question: _asked, ...about } = payload;
  const write = question.summary === undefined ? undefined : Write.safeParse(about).data;
  if (write === undefined) return about;
  const { action, evidence = [] } = write;
  return { ...action, ...(evidence.length > 0 && { evidence }) };
};

/** Prints what is asked and why; of a write, what it does comes first, and then who asks. */
const printLead = async ({ question, message }: InboxEntry, printer: Printer): Promise<void> => {
  const agent = oneLine(message.agentId ?? 'a task');
  const text = markedLines(message.explanation);
  if (question.summary === undefined) return printer.lines(`${agent} asks (${question.kind}): ${text}`);
  await printer.lines(text);
  for (const why of question.reasons ?? []) await printer.lines(`  Why you are asked: ${markedLines(why)}`);
  await printer.line(faint(`  ${agent} asks (${question.kind})`));
};

/** Prints a question: what, why, who asks, about what, and the consequence of each answer. */
export const printQuestion = async (entry: InboxEntry, printer: Printer): Promise<void> => {
  const { question, message, taskId } = entry;
  await printLead(entry, printer);
  await printer.line(faint(`  message ${message.messageId} of task ${taskId}`));
  const about = shownIn(entry);
  if (Object.keys(about).length > 0)
    for (const line of visibleJson(about, 2).split('\n')) await printer.line(`  ${line}`);
  const choices = question.accepts.includes('rank') ? choicesOf(entry) : [];
  for (const [at, { id, label }] of choices.entries()) await printer.line(`  ${at + 1}. ${id}  ${label}`);
  for (const type of question.accepts)
    await printer.line(
      `  ${type.padEnd(12)}${question.consequences[type] ?? 'It is recorded; the question stays open.'}`,
    );
  if (question.needsToken === true)
    await printer.line('  To approve this, add a signed token: --approval TOKEN.');
  const { deadline, byDefault } = question;
  if (deadline !== null)
    await printer.line(
      `  Until ${deadline}; then ${byDefault === null ? 'the task fails' : `the default applies: ${visibleJson(byDefault)}`}.`,
    );
};
