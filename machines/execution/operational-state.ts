/** What code reads of a model's structured output to set a state; prose has no part in it (UpFormat 2.3). */
export type StructuredOutput =
  | { readonly canProceed: boolean; readonly confidence: number }
  | { readonly resolution: 'needHuman' | 'beyondCapability' };

/** Confidence that must be exceeded where a task class names none (UpFormat 2.3). */
export const defaultThreshold = 0.5;

/**
 * The operational state that a model's output maps to, deterministically (UpFormat 2.3).
 *
 * `completed` says that this output may go on, never that the task is complete. Confidence equal to the threshold,
 * or not a number, asks a person.
 */
export const operationalStateOf = (
  output: StructuredOutput,
  { threshold = defaultThreshold }: { readonly threshold?: number } = {},
): 'completed' | 'needsHumanDecision' | 'failed' => {
  if ('resolution' in output)
    return output.resolution === 'beyondCapability' ? 'failed' : 'needsHumanDecision';
  return output.canProceed && output.confidence > threshold ? 'completed' : 'needsHumanDecision';
};
