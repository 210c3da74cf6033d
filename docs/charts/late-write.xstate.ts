import { setup } from 'xstate';

// To be looked at and clicked through: an event passes its guard; what decides without an event does not,
// so that nothing runs by itself; actions do nothing; what is invoked never ends.
export const machine = setup({
  guards: { isUnknown: () => true, mayRecover: () => true },
}).createMachine({
  id: "lateWrite",
  version: "2",
  initial: "new",
  states: {
    new: {
      on: {
        "call.succeeded": [{ target: "owed", meta: { cites: "UAICP 5.3" }, guard: "isUnknown" }],
        "rollback.started": [{ target: "undoing", meta: { cites: "UAICP 5.3" } }],
      },
    },
    owed: { on: { "rollback.started": [{ target: "undoing", meta: { cites: "UAICP 5.3" } }] } },
    undoing: {
      on: {
        "recovery.started": [{ target: "undoing", meta: { cites: "interpretation 0059" }, guard: "mayRecover" }],
        "rollback.succeeded": [{ target: "undone", meta: { cites: "UAICP 5.3" } }],
        "rollback.failed": [{ target: "stuck", meta: { cites: "UAICP 5.3" } }],
      },
    },
    undone: { on: {} },
    stuck: { on: {} },
  },
});
