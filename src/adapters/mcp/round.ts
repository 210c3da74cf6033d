import * as z from 'zod';
import type { CallContext, NeedsHuman } from '../../ports/tool.ts';
import { Content, ServerRequest, type Asked, type Elicited } from './asking.ts';

/** What was asked of a person, with which the call is made again. */
export interface Round {
  readonly asked: Asked;
  /** The answers before it, where the server asks by requests of its own; `null` where it asks in its result. */
  readonly before: readonly Elicited[] | null;
}

/** Under which the question's own message keeps what no person needs: no process has to outlive it. */
const roundKey = 'agentcharter:mcp';

const Kept = z.object({
  requests: z.record(z.string(), ServerRequest.shape.params),
  [roundKey]: z.object({
    requestState: z.string().optional(),
    before: z
      .array(z.object({ action: z.enum(['accept', 'decline', 'cancel']), content: Content }))
      .nullable(),
  }),
});

/** A server's questions as a person meets them. */
export const needOf = ({ asked, before }: Round, server: string): NeedsHuman => {
  const { inputRequests, requestState } = asked;
  return {
    explanation:
      Object.values(inputRequests)
        .map(({ params }) => params?.message ?? '')
        .join(' ') || 'It wants to be called again.',
    payload: {
      server,
      requests: Object.fromEntries(
        Object.entries(inputRequests).map(([name, { params = {} }]) => [name, { ...params }]),
      ),
      [roundKey]: { before, ...(requestState !== undefined && { requestState }) },
    },
  };
};

/** What was asked, as the message that asked has it; `null` where that says nothing of it, so that the server asks again. */
export const roundIn = (asked: CallContext['asked']): Round | null => {
  const kept = Kept.safeParse(asked).data;
  if (kept === undefined) return null;
  const { before, requestState } = kept[roundKey];
  const requests = Object.entries(kept.requests);
  const inputRequests = Object.fromEntries(
    requests.map(([name, params]) => [name, { method: 'elicitation/create', params }]),
  );
  return { asked: { resultType: 'input_required', inputRequests, requestState }, before };
};
