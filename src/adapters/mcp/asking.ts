import * as z from 'zod';
import { JsonObject, type UpFeedback } from '../../../schema/index.ts';
import type { Allowance } from '../../boundary/budget.ts';
import { isObject } from '../../boundary/is-object.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { digest } from '../../canonical/digest.ts';
import { asWired } from './client.ts';

/** What a server asks its client for while it is called; only elicitations are for a person. */
export const ServerRequest = z.object({
  method: z.string(),
  params: z
    .looseObject({ message: z.string().default(''), requestedSchema: JsonObject.optional() })
    .optional(),
});

const Asked = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), ServerRequest).default({}),
  requestState: z.string().optional(),
});

/** A server's questions, by the names that it gave them, and what it wants to hear beside the answers. */
export type Asked = z.infer<typeof Asked>;

/** What a form of MCP is filled in with: flat, and of these types only. */
export const Content = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
type Content = z.infer<typeof Content>;

/** A person's answer to one elicitation (MCP `ElicitResult`). */
export interface Elicited {
  readonly [name: string]: unknown;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Content;
}

/** The questions in what `tools/call` returned; `null` where it asks nothing. Throws where they cannot be read. */
export const askedIn = (result: unknown, { read }: Allowance): Asked | null =>
  isObject(result) && result['resultType'] === 'input_required'
    ? parseDocument('InputRequiredResult', Asked, read('InputRequiredResult', result, 'resultBytes').value)
    : null;

/** An answer, and the digest of what it was given to. */
export interface Given extends Elicited {
  readonly to: string;
}

/** Names what a server asks: an answer goes to that, word for word, and to nothing else. */
export const nameOf = (params: unknown): string => {
  const { _meta, ...shown } = JsonObject.parse(asWired('elicitation/create', params ?? {})); // which a person is not asked
  return digest(shown);
};

/** Questions of a server's own requests, as MCP before 2026-07-28 has them. */
export const askedBy = (requests: Asked['inputRequests']): Asked => ({
  resultType: 'input_required',
  inputRequests: requests,
});

/** What is asked that no person answers, such as a model's words; `null` for nothing. */
export const beyondPeople = ({ inputRequests }: Asked): string | null =>
  Object.values(inputRequests).find(({ method }) => method !== 'elicitation/create')?.method ?? null;

const objectOf = (value: unknown): JsonObject => JsonObject.safeParse(value).data ?? {};
const contentOf = (value: unknown): Content => Content.safeParse(value).data ?? {};

/** What `edit` says, and of an instruction its text, where the only field that is asked for takes it. */
const answerContentOf = (
  { type, content }: UpFeedback,
  { params }: z.infer<typeof ServerRequest>,
): JsonObject => {
  const [field, ...others] = Object.keys(objectOf(params?.requestedSchema?.['properties']));
  const isText = type === 'instruction' && typeof content === 'string';
  if (isText) return field === undefined || others.length > 0 ? {} : { [field]: content };
  return objectOf(objectOf(content)['value']);
};

/**
 * A person's answer to all that was asked, by the server's names: an edit's `value` is the content of the only question,
 * or holds that of each under its name. What does not fit its server asks for again.
 */
export const answersTo = (
  { inputRequests }: Asked,
  answer: UpFeedback,
): Readonly<Record<string, Elicited>> => {
  const requests = Object.entries(inputRequests);
  return Object.fromEntries(
    requests.map(([name, request]) => {
      const given = answerContentOf(answer, request);
      const content = contentOf(requests.length === 1 ? given : given[name]);
      return [name, { action: answer.type === 'reject' ? 'decline' : 'accept', content }];
    }),
  );
};
