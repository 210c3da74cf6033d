import { isObject } from '../../base/boundary/is-object.ts';
import { isMissing } from '../../base/boundary/issue-words.ts';
import { isUnknownKey, memberPath, membersOf } from '../../base/boundary/issues-of.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import type { Issue } from '../../base/errors.ts';
import { shownName } from '../../base/text/foreign-text.ts';

/** An output that could not be read, and how often the model may still correct it. */
export interface Rejection {
  readonly wants: 'plan' | 'draft';
  /** The output as the model sent it. */
  readonly output: unknown;
  readonly issues: readonly Issue[];
  /** The tools that the task class allows. */
  readonly tools: readonly string[];
  /** Whether an agent of a framework answers, which knows no plan. */
  readonly isAgent: boolean;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly attempts: number;
}

type Members = readonly string[];

/** Returns the members of a path in the output, also in one that a correction wraps. */
const placeOf = ({ path }: Issue): Members => {
  const members = membersOf(path);
  return members[0] === 'output' ? members.slice(1) : members;
};

/** Returns the name of the tool that a path is in the call of; `undefined` for another path. */
const toolAt = (output: unknown, [list, at]: Members): string | undefined => {
  if (list !== 'calls' || !isObject(output) || !Array.isArray(output['calls'])) return undefined;
  const call: unknown = output['calls'][Number(at)];
  return isObject(call) && typeof call['tool'] === 'string' ? call['tool'] : undefined;
};

const nameOf = (members: Members): string => memberPath(pointerTo(members));

/** Returns what is wrong with a call, by the names of the tool's author. */
const callFault = (tool: string | undefined, isKnown: boolean, members: Members): string => {
  const [, at, field, ...rest] = members;
  if (field === 'tool' && tool !== undefined) return `there is no tool ${shownName(tool)}`;
  if (tool === undefined || !isKnown || field !== 'arguments')
    return `call ${Number(at) + 1} is not one of a tool with arguments`;
  return rest.length === 0
    ? `the arguments of ${tool} do not fit`
    : `the argument ${nameOf(rest)} of ${tool} does not fit`;
};

const faultOf = ({ output, tools }: Rejection, issue: Issue): string => {
  const members = placeOf(issue);
  const [first, ...rest] = members;
  if (first === undefined)
    return issue.message.startsWith('must be an object')
      ? 'it is not a JSON object'
      : 'it is not in the form that was asked for';
  if (first === 'choice') return 'the correction that was asked for makes no known choice';
  if (first === 'adopts') return 'what it adopts is no edit or ranking that can take its place';
  if (first === 'calls' && rest.length > 0) {
    const tool = toolAt(output, members);
    return callFault(tool, tool !== undefined && tools.includes(tool), members);
  }
  if (first !== 'payload')
    return `its field ${nameOf(members)} ${isUnknownKey(issue) ? 'is unknown' : 'does not fit'}`;
  return rest.length === 0
    ? 'its payload does not fit'
    : `the field ${nameOf(rest)} of its payload does not fit`;
};

/** The maximum number of faults in a sentence, and of missing fields in a fault. */
const most = 3;

/** Joins the first of these texts, and says how many more there are. */
const cut = (texts: readonly string[], separator: string): string => {
  const more = texts.length > most ? [`and ${texts.length - most} more`] : [];
  return [...texts.slice(0, most), ...more].join(separator);
};

/** Returns the name of a field that the output or its payload lacks; `undefined` for any other issue. */
const lackedBy = (what: 'it' | 'its payload', issue: Issue): string | undefined => {
  const members = placeOf(issue);
  const [first] = members;
  if (!isMissing(issue) || first === undefined) return undefined;
  const isInPayload = first === 'payload' && members.length > 1;
  if (what === 'its payload') return isInPayload ? nameOf(members.slice(1)) : undefined;
  return members.length === 1 && first !== 'choice' ? first : undefined;
};

const faultsIn = (rejection: Rejection): string => {
  const { issues } = rejection;
  const lacking = (['it', 'its payload'] as const).flatMap((what) => {
    const names = issues.flatMap((issue) => lackedBy(what, issue) ?? []);
    return names.length === 0 ? [] : [`${what} lacks ${cut(names, ', ')}`];
  });
  const others = issues.filter((issue) => !lackedBy('it', issue) && !lackedBy('its payload', issue));
  return cut([...new Set([...lacking, ...others.map((issue) => faultOf(rejection, issue))])], '; ');
};

/** Returns what was to be read: the call of the one tool that all issues are about, or the whole output. */
const subjectOf = ({ wants, output, issues, tools, isAgent }: Rejection): string => {
  const called = new Set(issues.map((issue) => toolAt(output, placeOf(issue))));
  const [tool] = called;
  if (called.size === 1 && tool !== undefined && tools.includes(tool)) return `call of ${tool}`;
  if (!isAgent) return wants;
  return wants === 'plan' ? 'proposal' : 'answer';
};

/**
 * Returns why an output could not be read, as a sentence for people. It names tools, arguments and fields as their
 * authors do; what the schema reported stays in the record, for the model and for developers.
 */
export const rejectionSentence = (rejection: Rejection): string => {
  const { isAgent, attempt, attempts } = rejection;
  const isLast = attempt >= attempts;
  const tried = isLast
    ? ` after ${attempt} ${attempt === 1 ? 'attempt' : 'attempts'}`
    : ` in attempt ${attempt} of ${attempts}`;
  const who = isAgent ? 'The agent' : 'The model';
  return `${who}’s ${subjectOf(rejection)} could not be read${tried}: ${faultsIn(rejection)}.`;
};
