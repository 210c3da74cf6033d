import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { TraceContext } from '../../base/ports/telemetry.ts';
import { foreignPlace } from '../../base/trace/foreign-place.ts';
import { patience } from './client.ts';
import { keyMeta } from './call.ts';
import type { Form } from './form.ts';

/** The authenticated client. Nothing here is the client's own claim. */
export interface Caller {
  readonly authInfo?:
    { readonly clientId: string; readonly scopes: readonly string[]; readonly extra?: unknown } | undefined;
  readonly sessionId?: string | undefined;
}

/** The context of a request in `@modelcontextprotocol/server` 2. */
export interface SecondContext {
  readonly sessionId?: string | undefined;
  readonly http?: { readonly authInfo?: Caller['authInfo'] } | undefined;
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: unknown;
    readonly envelope?: unknown;
    readonly inputResponses?: Record<string, unknown> | undefined;
    readonly requestState: () => unknown;
  };
}

/** The context of a request in the `McpServer` of `@modelcontextprotocol/sdk` 1. */
export interface FirstContext extends Caller {
  readonly signal: AbortSignal;
  readonly _meta?: unknown;
  readonly sendRequest: (request: never, schema: never, options?: never) => Promise<unknown>;
}

/** Returns the authenticated client of a request. */
export const callerOf = (context: FirstContext | SecondContext): Caller => {
  const { sessionId } = context;
  return { sessionId, authInfo: 'mcpReq' in context ? context.http?.authInfo : context.authInfo };
};

const Meta = z.looseObject({
  [keyMeta]: z.string().optional(),
  traceparent: z.string().optional().catch(undefined),
  tracestate: z.string().optional().catch(undefined),
});

/** Returns the key in the metadata of a request, and where its caller says that it stands. */
export const metaIn = (
  meta: unknown,
): { readonly key: string | undefined; readonly places: readonly TraceContext[] } => {
  const { [keyMeta]: key, traceparent, tracestate } = parseDocument('_meta', Meta, meta ?? {});
  return { key, places: foreignPlace(traceparent, tracestate) };
};

const Capabilities = z.object({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }),
});
const Envelope = z.object({ 'io.modelcontextprotocol/clientCapabilities': z.unknown() });

/** Returns whether the client shows forms to a person, as declared in the request or at initialization. */
export const mayElicit = (
  { server }: { readonly server: { getClientCapabilities(): unknown } },
  context: FirstContext | SecondContext,
): boolean => {
  const envelope = 'mcpReq' in context ? Envelope.safeParse(context.mcpReq.envelope).data : undefined;
  const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? server.getClientCapabilities();
  const { elicitation } = Capabilities.safeParse(declared).data ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

const ElicitResult = z.looseObject({ action: z.string() });

/** typed for the SDK's own requests only */
export const elicit = ({ sendRequest, signal }: FirstContext, params: Form): Promise<unknown> =>
  // its types are of the SDK's own requests, schemas and options
  sendRequest(
    { method: 'elicitation/create', params } as never,
    ElicitResult as never,
    { signal, timeout: patience } as never,
  );
