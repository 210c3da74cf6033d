/** A law is broken: said without `expect`, which would take longer than a trial. */
export const must = (holds: boolean, law: string, cause?: unknown): void => {
  if (!holds) throw new Error(law, { cause });
};
