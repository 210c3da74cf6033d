import { oneLine, visibleJson } from '../text/foreign-text.ts';
import { isObject } from './is-object.ts';

/** A call, as far as a sentence about it needs it. */
export interface SummarizedCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** The sentence of its tool. */
  readonly summary?: string;
}

/** The longest value and the longest list of values in a sentence, in characters. */
const mostOfOne = 60;
const mostOfAll = 160;

const cut = (text: string): string =>
  text.length <= mostOfOne ? text : `${text.slice(0, mostOfOne - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** Returns arguments on one line: each member's name and value, long ones shortened. Empty for none. */
export const argumentsLine = (given: unknown): string => {
  if (!isObject(given)) return cut(visibleJson(given));
  const members = Object.entries(given).map(
    ([key, value]) => `${cut(oneLine(key))} ${cut(visibleJson(value))}`,
  );
  let [line = ''] = members;
  let shown = Math.min(1, members.length);
  for (const member of members.slice(1)) {
    if (line.length + member.length > mostOfAll) break;
    line += `, ${member}`;
    shown += 1;
  }
  return shown === members.length ? line : `${line} and ${members.length - shown} more`;
};

/** Returns what a call does, in a sentence: the one of its tool, or the tool's name with its arguments. */
export const callSentence = ({ tool, arguments: given, summary }: SummarizedCall): string => {
  if (summary !== undefined) return summary;
  const line = argumentsLine(given);
  return `Call ${oneLine(tool)}${line === '' ? '' : ` with ${line}`}.`;
};
