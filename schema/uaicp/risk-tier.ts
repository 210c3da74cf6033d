import * as z from 'zod';

/** What a tool may do to the world, from least to most, declared by the tool's definition. UAICP 5.3. */
export const RiskTier = z.enum(['read_only', 'write_low_risk', 'write_high_risk']);
export type RiskTier = z.infer<typeof RiskTier>;
