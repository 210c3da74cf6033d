import { setup } from 'xstate';

// To be looked at and clicked through. What is invoked never ends.
// The context has a fact for each guard; a guard that is put together from others reads theirs. An event may
// bring facts, which its guards read first and its actions keep: { type: 'go', facts: { isOpen: false } }.
// Without them, an event passes its guards, and a decision without an event does not.
export const machine = setup({
  guards: {
    isUnknown: ({ context, event }) => (event.facts?.isUnknown ?? context.isUnknown),
    mayRecover: ({ context, event }) => (event.facts?.mayRecover ?? context.mayRecover),
  },
}).createMachine({
  context: { isUnknown: true, mayRecover: true },
  id: "lateWrite",
  version: "2",
  initial: "new",
  states: {
    new: {
      on: {
        "call.succeeded": { target: "owed", meta: { cites: "UAICP 5.3" }, guard: "isUnknown" },
        "rollback.started": { target: "undoing", meta: { cites: "UAICP 5.3" } },
      },
    },
    owed: { on: { "rollback.started": { target: "undoing", meta: { cites: "UAICP 5.3" } } } },
    undoing: {
      on: {
        "recovery.started": { target: "undoing", meta: { cites: "interpretation 0059" }, guard: "mayRecover" },
        "rollback.succeeded": { target: "undone", meta: { cites: "UAICP 5.3" } },
        "rollback.failed": { target: "stuck", meta: { cites: "UAICP 5.3" } },
      },
    },
    undone: {},
    stuck: {},
  },
});
