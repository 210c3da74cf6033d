/** Identifiers, injected. */
export interface Ids {
  /** A fresh UUID (RFC 9562). */
  readonly uuid: () => string;
  /** A fresh W3C trace id: 32 lower-case hex digits, not all zero (UAICP 5.4). */
  readonly traceId: () => string;
}
