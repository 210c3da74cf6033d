import { taskMachine, type FactOf, type TaskClassInput } from '../../machines/index.ts';
import { run, type FactMaker } from '../machines/scene.ts';
import { tell, type Story } from './chart.ts';
import type { Said } from './model.ts';
import type { Fact } from './vocabulary.ts';

/** A sequence of facts on whose last one the chart and the specifications parted. */
export interface Case {
  readonly title: string;
  readonly taskClass: Omit<TaskClassInput, 'id'>;
  readonly before: readonly FactMaker[];
  /** The fact on which the chart and the specifications parted. */
  readonly fact: FactMaker;
  /** What both say after that fact. */
  readonly shows?: Partial<Said>;
}

type InForce = FactOf<'taskClass.changed'>['taskClass'];

/** The task class in force is another one from now on: that of the context, whose lists are read-only, with these members. */
export const tightened =
  (more: Partial<InForce>): FactMaker =>
  ({ taskClass }) => ({ type: 'taskClass.changed', taskClass: { ...taskClass, ...more } as InForce });

/** What the chart shows of these facts. */
export const storyOf = ({ taskClass, before, fact }: Case): Story => {
  const task = run(taskClass);
  const told = [...before, fact].map((one): Fact => {
    const said = one(task.c);
    task.actor.send(said);
    return said;
  });
  return tell(taskMachine, { id: 'class', ...taskClass }, told);
};
