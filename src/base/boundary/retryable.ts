/** Returns whether a request with this HTTP status is worth a retry. */
export const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500;
