import * as z from 'zod';

/** The risk of what a tool may change, in ascending order. The definition of the tool declares it. UAICP 5.3. */
export const RiskTier = z.enum(['read_only', 'write_low_risk', 'write_high_risk']);
export type RiskTier = z.infer<typeof RiskTier>;
