import * as z from 'zod';

/** What a tool may change in the world, in ascending order of risk. The tool's definition declares it. UAICP 5.3. */
export const RiskTier = z.enum(['read_only', 'write_low_risk', 'write_high_risk']);
export type RiskTier = z.infer<typeof RiskTier>;
