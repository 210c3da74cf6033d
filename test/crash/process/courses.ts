/** A workflow of docs/examples that is disturbed: how many tasks it has, and what it does in the world, each once. */
export interface Course {
  readonly tasks: number;
  readonly effects: readonly string[];
}

export const courses = {
  hiring: { tasks: 2, effects: ['email.send'] },
  reversal: { tasks: 1, effects: ['wire.reverse'] },
  'reversal taken back': { tasks: 1, effects: ['wire.reverse', 'wire.reinstate'] },
} satisfies Record<string, Course>;

export type CourseName = keyof typeof courses;
export const courseNames = Object.keys(courses) as readonly CourseName[];

/** What becomes of an effect that had begun when its process was killed, and of one that had not. */
export type Verdict =
  /** No effect was in doubt: the next process goes on. */
  | 'goes on'
  /** Made again under its key. */
  | 'repeated'
  /** Made again under its key, which its tool knows: nothing is done twice. */
  | 'repeated, known'
  /** Looked up and not found: made again under its key. */
  | 'absent'
  /** Looked up and found: its result is adopted. */
  | 'adopted'
  /** Left to a person, who says that it did not happen: made once. */
  | 'told absent'
  /** Left to a person, who says that it happened: not made again. */
  | 'told done';

/** By the tool that does it: what its declaration makes of an effect that was not done yet, and of one that was. */
export const declared: Readonly<Record<string, readonly [absent: Verdict, done: Verdict]>> = {
  'email.send': ['told absent', 'told done'],
  'wire.reverse': ['absent', 'adopted'],
  'wire.reinstate': ['repeated', 'repeated, known'],
};

/**
 * How the last task ends where a person says that an effect happened: a person's word is no evidence, the contract
 * asks for the tool's, and a mail cannot be taken back.
 */
export const endOfConfirmedEffect = { state: 'failed', phase: 'fail_safe', reason: 'ROLLBACK_REQUIRED' };
