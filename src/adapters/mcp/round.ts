import * as z from 'zod';
import type { CallContext, NeedsHuman } from '../../ports/tool.ts';
import { Content, ServerRequest, type Asked, type Given } from './asking.ts';

/** What was asked of a person, with which the call is made again. */
export interface Round {
  readonly asked: Asked;
  /** The answers before it, where the server asks by requests of its own; `null` where it asks in its result. */
  readonly before: readonly Given[] | null;
  /** The name of what it asked by a request of its own. */
  readonly to?: string | undefined;
}

/** Under which the question's own message keeps what no person needs: no process has to outlive it. */
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

/** A server's questions as a person meets them. */
export const needOf = ({ asked, before, to }: Round, server: string): NeedsHuman => {
  const { inputRequests, requestState } = asked;
  const said = Object.values(inputRequests).map(({ params }) => params?.message ?? '');
  return {
    // whose words they are comes first
    explanation:
      said.length === 0 ? `${server} wants to be called again.` : `${server} asks: ${said.join(' ')}`,
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

/** What was asked, as the message that asked has it; `null` where that says nothing of it, so that the server asks again. */
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
