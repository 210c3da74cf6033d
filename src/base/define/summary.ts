import * as z from 'zod';
import { parseDocument } from '../boundary/parse-document.ts';
import { ownCopy } from '../canonical/deep-freeze.ts';

/** Says what a call with this input does, in a sentence: one line of 1 to 200 characters. */
type Summary<Arguments = unknown> = (input: Arguments) => string;

/** Returns the summary of a tool for the orchestrator, which passes it the parsed input. */
export const summaryOf = <Arguments>(summary: Summary<Arguments> | undefined): { summary?: Summary } =>
  summary === undefined ? {} : { summary: (input) => summary(input as Arguments) };

const most = 200;

const Sentence = z
  .string({ error: 'expected a text' })
  .regex(/\S/, 'expected a text that is not blank')
  .regex(/^[^\n\v\f\r\u0085\u2028\u2029]*$/, 'expected one line')
  .max(most, `expected at most ${most} characters`);

/** Returns the sentence of a call of this tool. Throws the error of `summary`, or `document_invalid`. */
export const summarize = (tool: string, summary: Summary, input: unknown): string =>
  parseDocument(`the summary of tool ${JSON.stringify(tool)}`, Sentence, summary(ownCopy(input)));
