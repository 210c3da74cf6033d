import * as z from 'zod';

/** A phase of an execution, in the specification's order. UAICP 3 (Execution States). */
export const Phase = z.enum(['intake', 'plan', 'execute', 'verify', 'deliver', 'fail_safe']);
export type Phase = z.infer<typeof Phase>;
