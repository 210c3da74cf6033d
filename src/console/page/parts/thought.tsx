import type { UpThought } from '../../../../schema/index.ts';
import { Value } from './value.tsx';

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** What an agent says of its own reasoning (UpFormat 2.2): how sure it is first. */
export const Thought = ({ thought }: { thought: UpThought }) => {
  const { confidence, canProceed: _, ...said } = thought; // whether it can proceed is why it asks
  const rest = Object.fromEntries(Object.entries(said).filter(([, one]) => !isEmpty(one)));
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
