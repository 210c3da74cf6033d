import { defineTaskClass } from 'agentcharter';
import { fromJsonLines } from 'agentcharter/ledger';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Programs } from './reached.ts';
import { identity, open, reported, request, writer } from './task.ts';

export const documentErrors: Programs<
  'document_invalid' | 'input_unreadable' | 'value_not_json' | 'definition_invalid' | 'callback_failed'
> = {
  document_invalid: {
    program: () => open().submit({ ...request, identity: { ...identity, control_class: 'free' } }),
    says: 'Submission is not valid: "/identity/control_class" must be one of "autonomous", "human-supervised", "human-directed"',
    details: {
      document: 'Submission',
      issues: [{ path: '/identity/control_class', message: expect.stringContaining('must be one of') }],
    },
  },
  input_unreadable: {
    program: () => fromJsonLines('{"seq":0,"seq":1}'),
    says: 'ledger line 1 at "/seq" is not read: the key occurs twice; accepted: each key once',
    details: { document: 'ledger line 1', path: '/seq', reason: 'the key occurs twice' },
  },
  value_not_json: {
    program: () => {
      const output = z.object({ text: z.string().transform((text) => new Date(text)) });
      const dated = defineTaskClass({ id: 'letter', tools: [], output });
      return reported(open({ taskClasses: [dated], model: writer(0.9) }));
    },
    says: 'what the output schema of task class letter returns at "/text" is not JSON: it is a Date; return an RFC 3339 text, such as z.iso.datetime() in place of z.date(), or toISOString()',
    details: {
      value: 'what the output schema of task class letter returns',
      path: '/text',
      reason: 'it is a Date',
    },
  },
  definition_invalid: {
    program: () => {
      const definition = { id: 'letter', tools: [], beforeDelivery: { verifiers: ['tone'] } };
      return defineTaskClass(definition);
    },
    says: 'task class "letter": unknown key "beforeDelivery". Did you mean "beforeDeliver"?',
    details: {
      definition: 'task class',
      issues: [{ path: '/beforeDelivery', message: expect.stringContaining('unknown key') }],
    },
  },
  callback_failed: {
    program: () => reported(open({ model: { answer: () => Promise.reject(new Error('rate limit')) } })),
    says: 'model.answer failed: Error: rate limit',
    details: { taskId: expect.any(String), callback: 'model.answer', code: 'MODEL_ERROR' },
    cause: 'rate limit',
  },
};
