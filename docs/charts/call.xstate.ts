import { setup } from 'xstate';

// To be looked at and clicked through. What is invoked never ends.
// The context has a fact for each guard; a guard that is put together from others reads theirs. An event may
// bring facts, which its guards read first and its actions keep: { type: 'go', facts: { isOpen: false } }.
// Simplified: the real chart reads its facts from the documents of a run. Here each event and action changes them
// as it most often did in sampled runs. An event with a list of outcomes has them in turn, one at each click.
// Facts that contradict each other can lead to an endless decision.
export const machine = setup({
  guards: {
    isClosed: ({ context, event }) => (event.facts?.isClosed ?? context.isClosed),
    isDenied: ({ context, event }) => (event.facts?.isDenied ?? context.isDenied),
    isDone: ({ context, event }) => (event.facts?.isDone ?? context.isDone),
    isRead: ({ context, event }) => (event.facts?.isRead ?? context.isRead),
    isWrite: ({ context, event }) => (event.facts?.isWrite ?? context.isWrite),
    mayHaveHappened: ({ context, event }) => (event.facts?.mayHaveHappened ?? context.mayHaveHappened),
  },
  actions: {
    set: Object(setup({}).assign((_, params) => ({
      ...new Map(Object.entries({
        "{\"underWay\":false}": { mayHaveHappened: false },
        "{\"underWay\":true}": { mayHaveHappened: true },
      })).get(JSON.stringify(params ?? null)),
    }))),
  },
}).createMachine({
  context: {
    isClosed: true,
    isDenied: true,
    isDone: true,
    isRead: true,
    isWrite: true,
    mayHaveHappened: false,
  },
  id: "call",
  version: "2",
  initial: "new",
  states: {
    new: {
      on: {
        "call.planned": [
          { target: "allowed", meta: { cites: "UAICP 5.3" }, guard: "isRead" },
          { target: "succeeded", meta: { cites: "interpretation 0007" }, guard: "isDone" },
          { target: "failed", meta: { cites: "interpretation 0007" }, guard: "isClosed" },
          { target: "proposed", meta: { cites: "UAICP 5.3" } },
        ],
      },
    },
    proposed: {
      on: {
        "action.succeeded": { target: "succeeded", meta: { cites: "interpretation 0007" }, guard: "isWrite" },
        "action.ruledOut": { target: "failed", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
        "call.denied": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "refused", meta: { cites: "interpretation 0072" } },
        ],
        "question.declined": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "refused", meta: { cites: "UAICP 5.3" } },
        ],
        "taskClass.changed": { target: "proposed", meta: { cites: "interpretation 0040" }, guard: "isWrite" },
        "call.abandoned": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "policy.decided": { target: "allowed", meta: { cites: "UAICP 5.3" } },
        "call.refused": { target: "proposed", meta: { cites: "interpretation 0040" } },
        "run.repaired": {
          target: "proposed",
          meta: { cites: "UAICP 4.1" },
          guard: "isWrite",
          actions: { type: "set", params: { underWay: false } },
        },
      },
    },
    allowed: {
      on: {
        "action.succeeded": { target: "succeeded", meta: { cites: "interpretation 0007" }, guard: "isWrite" },
        "action.ruledOut": { target: "failed", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
        "call.denied": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "refused", meta: { cites: "interpretation 0072" } },
        ],
        "question.declined": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "refused", meta: { cites: "UAICP 5.3" } },
        ],
        "taskClass.changed": { target: "proposed", meta: { cites: "interpretation 0040" }, guard: "isWrite" },
        "call.abandoned": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "call.started": { target: "started", meta: { cites: "UAICP 3 flow" } },
        "call.refused": [
          { target: "allowed", meta: { cites: "interpretation 0072" }, guard: "isRead" },
          { target: "proposed", meta: { cites: "interpretation 0040" } },
        ],
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
      },
    },
    refused: {},
    started: {
      on: {
        "call.succeeded": { target: "succeeded", meta: { cites: "UAICP 3 flow" } },
        "call.failed": { target: "failed", meta: { cites: "UAICP 4.1" } },
        "call.abandoned": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "round.failed": { target: "dropped", meta: { cites: "interpretation 0003" }, guard: "isRead" },
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
        "call.doubted": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "call.refused": [
          { target: "allowed", meta: { cites: "interpretation 0072" }, guard: "isRead" },
          { target: "proposed", meta: { cites: "interpretation 0040" } },
        ],
        "dependency.awaited": {
          target: "waiting",
          meta: { cites: "UpFormat Table 2" },
          actions: { type: "set", params: { underWay: true } },
        },
        "question.raised": { target: "asking", meta: { cites: "UpFormat Table 3" } },
      },
    },
    asking: {
      on: {
        "call.succeeded": { target: "succeeded", meta: { cites: "UAICP 3 flow" } },
        "call.failed": { target: "failed", meta: { cites: "UAICP 4.1" } },
        "call.abandoned": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "round.failed": { target: "dropped", meta: { cites: "interpretation 0003" }, guard: "isRead" },
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
        "question.continued": { target: "allowed", meta: { cites: "UpFormat Table 3" } },
      },
    },
    waiting: {
      on: {
        "call.succeeded": { target: "succeeded", meta: { cites: "UAICP 3 flow" } },
        "call.failed": { target: "failed", meta: { cites: "UAICP 4.1" } },
        "call.abandoned": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "mayHaveHappened" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "round.failed": { target: "dropped", meta: { cites: "interpretation 0003" }, guard: "isRead" },
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
        "call.doubted": [
          { target: "doubted", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
          { target: "failed", meta: { cites: "UAICP 4.1" } },
        ],
        "dependency.met": { target: "allowed", meta: { cites: "UpFormat Table 2" } },
        "question.raised": { target: "asking", meta: { cites: "UpFormat Table 3" } },
      },
    },
    succeeded: {
      on: {
        "evidence.aged": { target: "allowed", meta: { cites: "interpretation 0008" }, guard: "isRead" },
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
      },
    },
    failed: {
      on: {
        "action.succeeded": { target: "succeeded", meta: { cites: "interpretation 0007" }, guard: "isWrite" },
        "action.ruledOut": { target: "failed", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
        "run.repaired": [
          {
            target: "proposed",
            meta: { cites: "UAICP 4.1" },
            guard: "isWrite",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "UAICP 4.1" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
      },
    },
    dropped: {
      on: {
        "run.repaired": {
          target: "allowed",
          meta: { cites: "UAICP 4.1" },
          actions: { type: "set", params: { underWay: false } },
        },
      },
    },
    doubted: {
      on: {
        "call.succeeded": { target: "succeeded", meta: { cites: "UAICP 3 flow" } },
        "call.failed": { target: "failed", meta: { cites: "UAICP 4.1" } },
        "action.succeeded": { target: "succeeded", meta: { cites: "interpretation 0007" }, guard: "isWrite" },
        "action.ruledOut": { target: "failed", meta: { cites: "interpretation 0005" }, guard: "isWrite" },
        "question.repeated": [
          {
            target: "proposed",
            meta: { cites: "interpretation 0040" },
            guard: "isDenied",
            actions: { type: "set", params: { underWay: false } },
          },
          {
            target: "allowed",
            meta: { cites: "interpretation 0005" },
            actions: { type: "set", params: { underWay: false } },
          },
        ],
        "run.repaired": {
          target: "proposed",
          meta: { cites: "UAICP 4.1" },
          guard: "isWrite",
          actions: { type: "set", params: { underWay: false } },
        },
      },
    },
  },
});
