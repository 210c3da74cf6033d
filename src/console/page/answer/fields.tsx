import type { InboxEntry } from '../../../orchestrator/summary.ts';
import { ApprovalField } from './approval-field.tsx';
import { EditField } from './edit-field.tsx';
import { EffectField } from './effect-field.tsx';
import type { Draft } from './feedback.ts';
import { RankField } from './rank-field.tsx';
import { TextField } from './text-field.tsx';
import { WeightFields } from './weight-fields.tsx';

/** What a field of the form is given. */
export interface FieldGiven {
  entry: InboxEntry;
  draft: Draft;
  write: (changed: Partial<Draft>) => void;
  /** Whether what was sent was refused: the problem is told below the field. */
  isWrong: boolean;
}

/** What the chosen answer needs. */
export const Fields = (given: FieldGiven) => {
  switch (given.draft.type) {
    case null:
      return null;
    case 'approve':
      return given.entry.question.approval === undefined ? null : <ApprovalField {...given} />;
    case 'edit':
      return given.entry.question.kind === 'doubt' ? <EffectField {...given} /> : <EditField {...given} />;
    case 'rank':
      return <RankField {...given} />;
    case 'instruction':
      return <TextField {...given} label="Instruction" />;
    case 'reject':
      return <TextField {...given} label="Why (optional)" />;
    case 'comment':
      return (
        <>
          <TextField {...given} label="Comment" />
          <WeightFields {...given} />
        </>
      );
  }
};
