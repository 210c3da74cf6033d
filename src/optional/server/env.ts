import type { IncomingMessage, ServerResponse } from 'node:http';

/** What your server passes to `fetch` with the request. `identity` receives it unchanged. */
export interface FetchEnv {
  /** Node's request, on a Node server. */
  readonly incoming?: IncomingMessage;
  /** Node's response, on a Node server. */
  readonly outgoing?: ServerResponse;
  readonly [name: string]: unknown;
}
