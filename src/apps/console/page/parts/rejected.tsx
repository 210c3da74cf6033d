import type { QuestionView } from '../../wire.ts';
import { visible } from '../words.ts';
import { Value } from './value.tsx';

/** The output that could not be read and what its schema reported, for developers; folded away. */
export const Rejected = ({ of }: { of: QuestionView['rejected'] }) =>
  of && (
    <details class="codes">
      <summary>What the schema reported</summary>
      <ul>
        {of.issues.map(({ path, message }, at) => (
          <li key={at}>
            {path !== '' && <code>{visible(path)}</code>} {visible(message)}
          </li>
        ))}
      </ul>
      {of.output !== null && <Value value={of.output} />}
    </details>
  );
