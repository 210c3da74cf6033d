import { isCharterError, type ErrorDetails } from '../../../../src/base/errors.ts';

export const target = '01920000-0000-7000-8000-000000000001';

export const plan = { title: 'Trip', steps: [{ place: 'Paris' }, { place: 'Lisbon' }] };

export const saying = (type: string, content: unknown, part?: string): object => ({
  type,
  target: part === undefined ? target : { messageId: target, part },
  ...(content !== undefined && { content }),
});

export const edit = (content: unknown, part?: string): object => saying('edit', content, part);

/** Returns why feedback cannot be applied. */
export const refusal = (apply: () => unknown): ErrorDetails['feedback_inapplicable'] => {
  try {
    apply();
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable')) return error.details;
    throw error;
  }
  throw new Error('it applied');
};
