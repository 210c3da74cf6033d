/** The fields of a model's structured output that set the operational state. Prose has no effect (UpFormat 2.3). */
export type StructuredOutput =
  | { readonly canProceed: boolean; readonly confidence: number | 'unstated' }
  | { readonly resolution: 'needHuman' | 'beyondCapability' };

/** The default threshold, which a confidence must exceed (UpFormat 2.3). */
export const defaultThreshold = 0.5;

/** Returns whether a confidence is valid: a number from 0 to 1, or `unstated` (UpFormat 2.3). */
export const isConfidence = (value: number | 'unstated'): boolean =>
  value === 'unstated' || (Number.isFinite(value) && value >= 0 && value <= 1);

const isEnough = (
  confidence: number | 'unstated',
  threshold: number,
  unstated: 'ask' | 'proceed',
): boolean =>
  confidence === 'unstated' ? unstated === 'proceed' : isConfidence(confidence) && confidence > threshold;

/**
 * Returns the operational state for a model's output. The same output always gives the same state (UpFormat 2.3).
 *
 * `completed` means that this output may go on, not that the task is complete. A person is asked if `canProceed` is
 * anything but `true`, or if a stated confidence is no number from 0 to 1 or does not exceed the threshold. By default, a person is also
 * asked if the confidence is `unstated`.
 */
export const operationalStateOf = (
  output: StructuredOutput,
  {
    threshold = defaultThreshold,
    unstated = 'ask',
  }: { readonly threshold?: number; readonly unstated?: 'ask' | 'proceed' } = {},
): 'completed' | 'needsHumanDecision' | 'failed' => {
  if ('resolution' in output)
    return output.resolution === 'beyondCapability' ? 'failed' : 'needsHumanDecision';
  return Object.is(output.canProceed, true) && isEnough(output.confidence, threshold, unstated)
    ? 'completed'
    : 'needsHumanDecision';
};
