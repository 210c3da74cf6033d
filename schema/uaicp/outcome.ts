import * as z from 'zod';

/** The outcome of an execution, a transition or a tool invocation. UAICP 5.4, message-envelope schema. */
export const Outcome = z.enum(['success', 'failure', 'uncertain', 'pending']);
export type Outcome = z.infer<typeof Outcome>;
