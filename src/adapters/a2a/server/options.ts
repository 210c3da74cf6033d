import type { RequestContext, ServerCallContext } from '@a2a-js/sdk/server';
import * as z from 'zod';
import { upFormatUri } from '../extension.ts';
import type { Submission } from '../../../core/shell/submission.ts';
import type { TraceContext } from '../../../base/ports/telemetry.ts';
import { foreignPlace } from '../../../base/trace/foreign-place.ts';
import { digest } from '../../../base/canonical/digest.ts';

/** Options of an executor. */
export interface TaskExecutorOptions {
  /** The class of every task that a message begins. */
  readonly taskClass: string;
  /** The identity of tasks. If it is not a function, the authenticated user is added as `user_id`. */
  readonly identity: Submission['identity'] | ((request: RequestContext) => Submission['identity']);
  /**
   * Returns whether the messages of this sender are trusted as requests. Only `true` trusts them. By default they are
   * untrusted: another agent wrote them.
   */
  readonly trusts?: (request: RequestContext) => boolean;
  /** Returns the authenticated sender. By default the user name; `undefined` for none. */
  readonly by?: (context: ServerCallContext) => string | undefined;
}

/** The name for a cancellation without an authenticated user. */
export const unauthenticatedName = 'unauthenticated';

/** Returns the name of the authenticated user. */
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

/** Returns the idempotency key of a user's message, independent of its A2A task. */
export const keyOf = ({ userMessage, context }: RequestContext, by: string | undefined): string =>
  `a2a ${digest([by ?? null, context.tenant ?? null, userMessage.messageId])}`;

const Text = z.string();
const Headers = z.looseObject({ traceparent: Text.optional(), tracestate: Text.optional() });

/** Returns where the sender of a message says that it stands, by the headers or its metadata. */
export const placesIn = ({ context, request, userMessage }: RequestContext): readonly TraceContext[] =>
  [context.state.get('headers'), request.metadata, userMessage.metadata]
    .flatMap((given) => {
      const { traceparent, tracestate } = Headers.safeParse(given).data ?? {};
      return foreignPlace(traceparent, tracestate);
    })
    .slice(0, 1);

const RequestMetadata = z.object({ [upFormatUri]: z.object({ approval: z.string() }) });

/** Returns the approval token of a request's metadata, which no task store saves. */
export const approvalIn = ({ request }: RequestContext): string | undefined =>
  RequestMetadata.safeParse(request.metadata).data?.[upFormatUri].approval;
