/** What a token must be for: this action, of this request. */
export interface ExpectedApproval {
  readonly actionDigest: string;
  readonly requestId: string;
  readonly requester: string;
}

/** Verifies approval tokens. Where none is configured, no token is accepted and a high-risk write waits (UAICP 5.3). */
export interface Approvals {
  /** The approver, or why the token does not count. */
  readonly verify: (
    token: string,
    expected: ExpectedApproval,
  ) => Promise<{ readonly approver: string } | { readonly refused: string }>;
}
