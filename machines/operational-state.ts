/** What code reads of a model's structured output to set a state; prose has no part in it (UpFormat 2.3). */
export type StructuredOutput =
  | { readonly canProceed: boolean; readonly confidence: number | 'unstated' }
  | { readonly resolution: 'needHuman' | 'beyondCapability' };

/** Confidence that must be exceeded where a task class names none (UpFormat 2.3). */
export const defaultThreshold = 0.5;

/** Whether a confidence is one: 0 to 1, or `unstated` (UpFormat 2.3). */
export const isConfidence = (value: number | 'unstated'): boolean =>
  value === 'unstated' || (value >= 0 && value <= 1);

const isEnough = (
  confidence: number | 'unstated',
  threshold: number,
  unstated: 'ask' | 'proceed',
): boolean =>
  confidence === 'unstated' ? unstated === 'proceed' : isConfidence(confidence) && confidence > threshold;

/**
 * The operational state that a model's output maps to, deterministically (UpFormat 2.3).
 *
 * `completed` says that this output may go on, never that the task is complete. A person is asked about a confidence
 * that equals the threshold, is no number from 0 to 1, or is `unstated` (by default).
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
  return output.canProceed && isEnough(output.confidence, threshold, unstated)
    ? 'completed'
    : 'needsHumanDecision';
};
