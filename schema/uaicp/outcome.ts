import * as z from 'zod';

/** How an execution, a transition or a tool invocation stands. UAICP 5.4, message-envelope schema. */
export const Outcome = z.enum(['success', 'failure', 'uncertain', 'pending']);
export type Outcome = z.infer<typeof Outcome>;
