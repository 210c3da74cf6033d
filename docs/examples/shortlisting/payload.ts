/** What the Email Tool takes: its own shape, which is not the Recommender's. */
export interface EmailPayload {
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly body: string;
}

/** The paper's mapping, candidates[].email -> recipients[] (UpFormat 3.1): in the same order, each address once. */
export const toRecipients = (candidates: readonly { readonly email: string }[]): string[] => [
  ...new Set(candidates.map(({ email }) => email)),
];
