import type { UpThought } from '../../../../../schema/index.ts';
import { Value } from './value.tsx';

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

interface Given {
  thought: UpThought;
  /** Members that are shown elsewhere. */
  without?: readonly string[];
}

/** An agent's account of its reasoning (UpFormat 2.2), confidence first. */
export const Thought = ({ thought, without = [] }: Given) => {
  const { confidence, canProceed: _, ...fields } = thought; // `canProceed` is the cause of the question
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([name, one]) => !isEmpty(one) && !without.includes(name)),
  );
  return (
    <div class="thought">
      {confidence !== undefined && (
        <p>
          <label>
            Confidence <meter min={0} max={1} value={confidence} /> {confidence}
          </label>
        </p>
      )}
      {Object.keys(rest).length > 0 && <Value value={rest} />}
    </div>
  );
};
