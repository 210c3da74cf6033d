import * as z from 'zod';
import { JsonObject, type UpFeedback } from '../../../schema/index.ts';
import type { Allowance } from '../../base/boundary/budget.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { digest } from '../../base/canonical/digest.ts';
import { asWired } from './client.ts';

/** A request of a server to its client during a call. Only elicitations are for people. */
export const ServerRequest = z.object({
  method: z.string(),
  params: z
    .looseObject({ message: z.string().default(''), requestedSchema: JsonObject.optional() })
    .optional(),
});

const ServerQuestions = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), ServerRequest).default({}),
  requestState: z.string().optional(),
});

/** A server's questions by its own ids, and its other requests. */
export type ServerQuestions = z.infer<typeof ServerQuestions>;

/** The content of an MCP form: a flat object of these types. */
export const Content = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
type Content = z.infer<typeof Content>;

/** A person's answer to an elicitation (MCP `ElicitResult`). */
export interface ElicitedAnswer {
  readonly [name: string]: unknown;
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Content;
}

/**
 * Returns the questions in the result of `tools/call`; `null` if there are none. Throws if they cannot be
 * read.
 */
export const questionsIn = (result: unknown, { read }: Allowance): ServerQuestions | null =>
  isObject(result) && result['resultType'] === 'input_required'
    ? parseDocument(
        'InputRequiredResult',
        ServerQuestions,
        read('InputRequiredResult', result, 'resultBytes').value,
      )
    : null;

/** An answer, with the digest of its question. */
export interface RecordedAnswer extends ElicitedAnswer {
  readonly to: string;
}

/** Returns the digest of a server's question. An answer applies only to an identical question. */
export const nameOf = (params: unknown): string => {
  const { _meta, ...shown } = JsonObject.parse(asWired('elicitation/create', params ?? {})); // not shown to the person
  return digest(shown);
};

/** Returns a server's own requests, used before MCP 2026-07-28, as questions. */
export const questionsFrom = (requests: ServerQuestions['inputRequests']): ServerQuestions => ({
  resultType: 'input_required',
  inputRequests: requests,
});

/** Returns a request that no person can answer, such as sampling; `null` if there is none. */
export const unanswerableIn = ({ inputRequests }: ServerQuestions): string | null =>
  Object.values(inputRequests).find(({ method }) => method !== 'elicitation/create')?.method ?? null;

const objectOf = (value: unknown): JsonObject => JsonObject.safeParse(value).data ?? {};
const contentOf = (value: unknown): Content => Content.safeParse(value).data ?? {};

/** Returns the content of an `edit`, or an instruction's text if it fits the only field. */
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
 * Returns a person's answers by the server's ids. The `value` of an edit is the content of a single question,
 * or holds the content of each by id. The server asks again about content that does not fit.
 */
export const answersTo = (
  { inputRequests }: ServerQuestions,
  answer: UpFeedback,
): Readonly<Record<string, ElicitedAnswer>> => {
  const requests = Object.entries(inputRequests);
  return Object.fromEntries(
    requests.map(([name, request]) => {
      const given = answerContentOf(answer, request);
      const content = contentOf(requests.length === 1 ? given : given[name]);
      return [name, { action: answer.type === 'reject' ? 'decline' : 'accept', content }];
    }),
  );
};
