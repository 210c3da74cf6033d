import { setup } from 'xstate';

// To be looked at and clicked through. What is invoked never ends.
export const machine = setup({}).createMachine({
  id: "effect",
  version: "2",
  initial: "new",
  states: {
    new: {
      on: {
        "call.succeeded": { target: "committed", meta: { cites: "UAICP 5.3" } },
        "question.ruledOut": { target: "closed", meta: { cites: "interpretation 0005" } },
      },
    },
    committed: {
      on: {
        "rollback.started": { target: "undoing", meta: { cites: "UAICP 5.3" } },
        "run.kept": { target: "kept", meta: { cites: "interpretation 0049" } },
        "deadline.passed": { target: "stuck", meta: { cites: "interpretation 0004" } },
      },
    },
    undoing: {
      on: {
        "rollback.succeeded": { target: "undone", meta: { cites: "UAICP 5.3" } },
        "rollback.failed": { target: "stuck", meta: { cites: "UAICP 5.3" } },
        "deadline.passed": { target: "stuck", meta: { cites: "interpretation 0004" } },
      },
    },
    undone: {},
    stuck: {},
    closed: {},
    kept: {},
  },
});
