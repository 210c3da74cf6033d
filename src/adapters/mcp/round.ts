import * as z from 'zod';
import type { CallContext, NeedsHuman } from '../../base/ports/tool.ts';
import { Content, ServerRequest, type ServerQuestions, type RecordedAnswer } from './asking.ts';

/** A round of questions; with the answers, the call is repeated. */
export interface Round {
  readonly asked: ServerQuestions;
  /** The earlier answers, if the server asks by its own requests; `null` if it asks in its result. */
  readonly before: readonly RecordedAnswer[] | null;
  /** The digest of the server's own request. */
  readonly to?: string | undefined;
}

/** The key under which a question stores data for the repeated call, so that it survives a restart. */
const roundKey = 'agentcharter:mcp';

const Kept = z.object({
  requests: z.record(z.string(), ServerRequest.shape.params),
  [roundKey]: z.object({
    requestState: z.string().optional(),
    to: z.string().optional(),
    before: z
      .array(z.object({ action: z.enum(['accept', 'decline', 'cancel']), content: Content, to: z.string() }))
      .nullable(),
  }),
});

/** Returns a server's questions as a question to a person. */
export const needOf = ({ asked, before, to }: Round, server: string): NeedsHuman => {
  const { inputRequests, requestState } = asked;
  const messages = Object.values(inputRequests).map(({ params }) => params?.message ?? '');
  return {
    // name the author first
    explanation:
      messages.length === 0
        ? `${server} asks for the call to be repeated.`
        : `${server} asks: ${messages.join(' ')}`,
    payload: {
      server,
      requests: Object.fromEntries(
        Object.entries(inputRequests).map(([name, { params = {} }]) => [name, { ...params }]),
      ),
      [roundKey]: {
        before,
        ...(to !== undefined && { to }),
        ...(requestState !== undefined && { requestState }),
      },
    },
  };
};

/** Returns the stored round; `null` if there is none, so that the server asks again. */
export const roundIn = (asked: CallContext['asked']): Round | null => {
  const kept = Kept.safeParse(asked).data;
  if (kept === undefined) return null;
  const { before, to, requestState } = kept[roundKey];
  const requests = Object.entries(kept.requests);
  const inputRequests = Object.fromEntries(
    requests.map(([name, params]) => [name, { method: 'elicitation/create', params }]),
  );
  return { asked: { resultType: 'input_required', inputRequests, requestState }, before, to };
};
