import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a host passes to `fetch` beside a request. What else it passes reaches `identity` as it is. */
export interface FetchEnv {
  /** Node's own request, if a Node server took it. */
  readonly incoming?: IncomingMessage;
  /** Node's own response, if a Node server gives it. */
  readonly outgoing?: ServerResponse;
  readonly [name: string]: unknown;
}
