import type { RequestContext, ServerCallContext } from '@a2a-js/sdk/server';
import * as z from 'zod';
import { upFormatUri } from '../extension.ts';
import type { Submission } from '../../../orchestrator/submission.ts';
import { isTracestate, parseTraceparent } from '../../../trace/traceparent.ts';
import { digest } from '../../../canonical/digest.ts';

/** What an executor is made of. */
export interface TaskExecutorOptions {
  /** The class of every task that is begun here. */
  readonly taskClass: string;
  /** On whose behalf tasks are begun; where it is no function, an authenticated user stands in it as `user_id`. */
  readonly identity: Submission['identity'] | ((request: RequestContext) => Submission['identity']);
  /** Who sends, as the host authenticated them; the user's name where left out, and nobody without one. */
  readonly by?: (context: ServerCallContext) => string | undefined;
}

/** Who cancels where nobody is signed in. */
export const nobody = 'unauthenticated';

/** The name of the user whom the host authenticated. */
export const authenticatedName = ({ user }: ServerCallContext): string | undefined =>
  user?.isAuthenticated === true && user.userName !== '' ? user.userName : undefined;

export const identityFor = (
  { identity }: TaskExecutorOptions,
  request: RequestContext,
  by: string | undefined,
): Submission['identity'] => {
  if (typeof identity === 'function') return identity(request);
  return by === undefined ? identity : { ...identity, user_id: by };
};

/** One message of one user, whatever task A2A files it under: what makes sending it again harmless. */
export const keyOf = ({ userMessage, context }: RequestContext, by: string | undefined): string =>
  `a2a ${digest([by ?? null, context.tenant ?? null, userMessage.messageId])}`;

const Text = z.string();
const Headers = z.looseObject({ traceparent: Text.optional(), tracestate: Text.optional() });

/** The trace that a message came in: from the headers, else from its metadata; what is no trace is none (W3C Trace Context). */
export const traceOf = ({
  context,
  request,
  userMessage,
}: RequestContext): Pick<Submission, 'traceparent' | 'tracestate'> => {
  for (const given of [context.state.get('headers'), request.metadata, userMessage.metadata]) {
    const { traceparent, tracestate } = Headers.safeParse(given).data ?? {};
    if (traceparent === undefined || parseTraceparent(traceparent) === null) continue;
    return { traceparent, ...(tracestate !== undefined && isTracestate(tracestate) && { tracestate }) };
  }
  return {};
};

const Beside = z.object({ [upFormatUri]: z.object({ approval: z.string() }) });

/** The approval token that travels beside a message, in the request's own metadata: no task store keeps that. */
export const approvalIn = ({ request }: RequestContext): string | undefined =>
  Beside.safeParse(request.metadata).data?.[upFormatUri].approval;
