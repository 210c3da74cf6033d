import { ApprovalField } from './approval-field.tsx';
import { EditField } from './edit-field.tsx';
import { EffectField } from './effect-field.tsx';
import type { FieldGiven } from './field.ts';
import { offeredFor } from './offered.ts';
import { RankField } from './rank-field.tsx';
import { TextField } from './text-field.tsx';
import { WeightFields } from './weight-fields.tsx';

/** The fields of the selected answer type. */
export const AnswerFields = (given: FieldGiven) => {
  switch (given.draft.type) {
    case null:
      return null;
    case 'approve':
      return given.entry.question.needsToken === true ? <ApprovalField {...given} /> : null;
    case 'edit':
      return given.entry.question.kind === 'doubt' ? <EffectField {...given} /> : <EditField {...given} />;
    case 'rank':
      return <RankField {...given} />;
    case 'instruction':
      return (
        <TextField
          {...given}
          label={offeredFor(given.entry).open === 'instruction' ? 'Answer' : 'Instruction'}
        />
      );
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
