/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A tool, as both programs are given it. */
export interface WorkTool {
  readonly name: string;
  /** A person must approve each call. */
  readonly isRisky: boolean;
  readonly run: (input: Json, run: { readonly id: string }) => Promise<Json>;
}

/** What a tool has returned. */
export interface Evidence {
  readonly tool: string;
  readonly result: unknown;
}

/** A check of a draft and its evidence. */
export interface WorkVerifier {
  readonly id: string;
  readonly verify: (draft: Json, evidence: readonly Evidence[]) => Promise<{ readonly status: string }>;
}

/** What both programs are asked to do, apart from the model: evidence, verification, approval before risky writes. */
export interface Work {
  readonly tools: readonly WorkTool[];
  /** Tools whose results a draft needs. */
  readonly requiredEvidence: readonly string[];
  readonly verifiers: readonly WorkVerifier[];
  /** How often the model may try again when its draft is not accepted. */
  readonly repairs: number;
}

/** Returns the objections to a draft; empty if there are none. */
export const problemsOf = async (
  { requiredEvidence, verifiers }: Work,
  draft: Json,
  evidence: readonly Evidence[],
): Promise<readonly string[]> => {
  const reports = await Promise.all(
    verifiers.map(async ({ id, verify }) => ({ id, ...(await verify(draft, evidence)) })),
  );
  return [
    ...requiredEvidence
      .filter((name) => !evidence.some(({ tool }) => tool === name))
      .map((name) => `no result of ${name}`),
    ...reports.filter(({ status }) => status !== 'pass').map(({ id, status }) => `${id} says ${status}`),
  ];
};
