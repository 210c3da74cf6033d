import { contextOf } from '../outputs.ts';
import { orchestratorActor } from '../task.ts';
import { causeOf, type Performer } from './performer.ts';

/** Takes a request, refuses it, or asks for what it lacks. */
export const accept: Performer<'accept'> = async (task, _duty, { ids }) => {
  const { request, answers } = task.dossier;
  const { payload, identity } = request;
  const actor = orchestratorActor;
  try {
    const decision = (await task.taskClass.accept?.({ payload, identity, answers })) ?? { accepted: true };
    if ('accepted' in decision) await task.state({ type: 'request.accepted' }, { actor });
    else if ('refused' in decision) {
      const { refused: code, explanation } = decision;
      await task.state({ type: 'request.refused', code }, { actor, brought: { explanation } });
    } else {
      const { explanation, missing } = decision;
      const upContext = contextOf(missing);
      const output = { payload: {}, explanation, upThought: {}, ...(upContext && { upContext }) };
      await task.state(
        { type: 'information.requested', question: ids.uuid() },
        { actor, brought: { output } },
      );
    }
  } catch (error) {
    await task.state(
      { type: 'request.refused', code: 'GUARD_ERROR' },
      { actor, brought: { explanation: causeOf(error) } },
    );
  }
};

/** Offers the refinement that the task class declares. */
export const offer: Performer<'offer'> = async (task) => {
  const actor = orchestratorActor;
  const { draft, request } = task.dossier;
  try {
    const made = task.taskClass.followup?.({ payload: draft?.payload ?? {}, request: request.payload });
    if (made === undefined) throw new TypeError('the task class offers nothing');
    const { explanation, payload, byDefault, upContext } = made;
    const output = { payload, explanation, upThought: {}, ...(upContext && { upContext }) };
    await task.state({ type: 'followup.offered' }, { actor, brought: { output, payload: byDefault } });
  } catch (error) {
    const id = task.snapshot.context.request;
    await task.state(
      { type: 'deadline.passed', of: 'offer', id },
      { actor, brought: { explanation: causeOf(error) } },
    );
  }
};
