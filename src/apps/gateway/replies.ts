import * as z from 'zod';
import type { JsonObject } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { digest } from '../../base/canonical/digest.ts';
import { definitionChanged } from '../../adapters/mcp/call.ts';
import type { CallOutcome, Conclusion, Ended, Paused, Repairing } from '../../guard/index.ts';
import { visibleJson } from '../../base/text/foreign-text.ts';

/** The result of `tools/call`. */
export interface Reply {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly [member: string]: unknown;
}

const text = (words: string) => ({ type: 'text', text: words });

/** Returns a result in words. */
export const says = (words: string): Reply => ({ content: [text(words)] });

/** Returns an error that the model of the client reads. */
export const errs = (words: string): Reply => ({ content: [text(words)], isError: true });

/** Returns a result with a remark after it. */
export const withNote = (reply: Reply, note: string): Reply =>
  note === '' ? reply : { ...reply, content: [...reply.content, text(note)] };

/** A call, with the name of its tool in the file and for clients. */
interface Called {
  readonly tool: string;
  readonly shown: string;
  readonly given: JsonObject;
}

/** Where people answer, and how a person accepts a changed tool. */
export interface Desk {
  readonly people: string;
  readonly answerAt: string;
  readonly acceptWith: (tool: string) => string;
}

/** Returns what a server answered, as far as the record has it. */
const answered = (result: unknown): Pick<Reply, 'content' | 'structuredContent'> => {
  if (isObject(result)) {
    const { content, structured } = result;
    const blocks =
      Array.isArray(content) && content.every((one) => isObject(one) && typeof one['type'] === 'string')
        ? content
        : null;
    // content that only repeated the structured part as text is not in the record
    if (isObject(structured))
      return { content: blocks ?? [text(JSON.stringify(structured))], structuredContent: structured };
    if (blocks !== null) return { content: blocks };
  }
  return { content: [text(result === null ? 'It was done. There is no result.' : visibleJson(result))] };
};

const reasonsOf = ({ reasons }: Ended): string =>
  reasons.length === 0 ? '' : ` ${reasons.map(({ says: why }) => why).join(' ')}`;

const Words = z.union([z.string(), z.object({ text: z.string() }).transform((one) => one.text)]);

/** Returns why an attempt was given up: what was not met, or else what a person asked for last. */
const unmetOf = ({ unmet, answers }: Repairing): string => {
  if (unmet.length > 0) return unmet.map(({ says: why }) => why).join(' ');
  const { by = 'a person', feedback } = answers.at(-1) ?? {};
  return `${by} asks for something else: ${visibleJson(Words.safeParse(feedback?.content).data ?? '')}`;
};

/** Returns the questions about a call itself: others of its task wait too. */
export const questionsAbout = (tool: string, given: JsonObject, questions: Paused['questions']) => {
  const content = digest([tool, given]);
  return questions.filter(({ message: { payload } }) => {
    const { action } = payload;
    return isObject(action) && digest([action['tool'], action['arguments']]) === content;
  });
};

const waitsFor = ({ questions, awaits }: Paused, { people, answerAt }: Desk): string => {
  if (questions.length === 0) return `It waits for ${awaits.join(', ')}.`;
  const asked = questions.map(({ message }) => message.explanation).join(' ');
  return `It waits for ${people}, at ${answerAt}. They are asked: ${visibleJson(asked)}.`;
};

/** Returns the outcome of a call for the client, which knows the tool by another name (MCP `tools/call`). */
export const replyOf = ({ tool, shown, given }: Called, outcome: CallOutcome, desk: Desk): Reply => {
  switch (outcome.status) {
    case 'done': {
      const { content, ...rest } = answered(outcome.result);
      const notes = [
        ...(outcome.isRepeated === true
          ? ['This call was made before with the same arguments, and not again: this is its result.']
          : []),
        ...(outcome.changed === undefined
          ? []
          : [`${outcome.changed.by} changed the arguments to ${visibleJson(outcome.changed.arguments)}.`]),
      ];
      return { ...rest, content: [...content, ...notes.map(text)] };
    }
    case 'paused': {
      const own = questionsAbout(tool, given, outcome.questions);
      const waits = own.length === 0 ? outcome : { ...outcome, questions: own };
      return says(
        `${shown} is not done yet. ${waitsFor(waits, desk)} Go on with other work, and call ${shown} again with the same arguments for its result. It is done once.`,
      );
    }
    case 'refused': {
      const issues = outcome.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
      const accept = outcome.explanation.includes(definitionChanged)
        ? ` A person must read its new definition and accept it: ${desk.acceptWith(tool)}`
        : '';
      return errs(`${outcome.explanation}${issues === '' ? '' : ` ${issues}`}${accept}`);
    }
    case 'repairing':
      return errs(unmetOf(outcome));
    case 'ended':
      return errs(`The task of this call is over: ${outcome.state}.${reasonsOf(outcome)}`);
  }
};

/** Returns the outcome of the answer of a task for the client. */
export const conclusionOf = (outcome: Conclusion, desk: Desk): Reply => {
  switch (outcome.status) {
    case 'delivered':
      return says('Delivered.');
    case 'paused':
      return says(`Not delivered yet. ${waitsFor(outcome, desk)} Conclude again with the same answer.`);
    case 'refused':
      return errs(`Not delivered. ${outcome.explanation}`);
    case 'repairing':
      return errs(`Not delivered. ${unmetOf(outcome)} The task goes on.`);
    case 'ended':
      return errs(`Not delivered: the task is over (${outcome.state}).${reasonsOf(outcome)}`);
  }
};
