import { setup } from 'xstate';

// To be looked at and clicked through. What is invoked never ends.
// The context has a fact for each guard; a guard that is put together from others reads theirs. An event may
// bring facts, which its guards read first and its actions keep: { type: 'go', facts: { isOpen: false } }.
// Without them, an event passes its guards, and a decision without an event does not.
export const machine = setup({
  guards: {
    isAbsent: ({ context, event }) => (event.facts?.isAbsent ?? context.isAbsent),
    isDefaulted: ({ context, event }) => (event.facts?.isDefaulted ?? context.isDefaulted),
    isLastApprover: ({ context, event }) => (event.facts?.isLastApprover ?? context.isLastApprover),
    mayApprove: ({ context, event }) => (event.facts?.mayApprove ?? context.mayApprove),
    mayRevise: ({ context, event }) => (event.facts?.mayRevise ?? context.mayRevise),
  },
}).createMachine({
  context: { isAbsent: true, isDefaulted: true, isLastApprover: true, mayApprove: true, mayRevise: true },
  id: "question",
  version: "2",
  initial: "new",
  states: {
    new: {
      on: {
        "information.requested": { target: "information", meta: { cites: "UpFormat Table 3" } },
        "help.requested": { target: "help", meta: { cites: "UpFormat 2.3" } },
        "plan.unsure": { target: "plan", meta: { cites: "UpFormat 2.3" } },
        "draft.unsure": { target: "draft", meta: { cites: "UpFormat 2.3" } },
        "approval.missing": { target: "approval", meta: { cites: "UAICP 5.3" } },
        "call.doubted": { target: "doubt", meta: { cites: "interpretation 0005" } },
        "question.raised": { target: "tool", meta: { cites: "UpFormat 2" } },
        "host.away": { target: "host", meta: { cites: "interpretation 0049" } },
        "limit.reached": { target: "limit", meta: { cites: "interpretation 0081" } },
      },
    },
    information: {
      on: {
        edit: { target: "informed", meta: { cites: "UpFormat Table 3" } },
        instruction: { target: "informed", meta: { cites: "UpFormat Table 3" } },
        reject: { target: "rejected", meta: { cites: "UpFormat Table 2" } },
        expired: [
          { target: "informed", meta: { cites: "interpretation 0004" }, guard: "isDefaulted" },
          { target: "expired", meta: { cites: "interpretation 0004" } },
        ],
      },
    },
    plan: {
      on: {
        approve: { target: "waived", meta: { cites: "UpFormat 2.3" } },
        edit: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        rank: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        instruction: { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
        reject: [
          { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
          { target: "rejected", meta: { cites: "interpretation 0006" } },
        ],
        expired: { target: "expired", meta: { cites: "interpretation 0004" } },
      },
    },
    draft: {
      on: {
        approve: { target: "waived", meta: { cites: "UpFormat 2.3" } },
        edit: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        rank: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        instruction: { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
        reject: [
          { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
          { target: "rejected", meta: { cites: "interpretation 0006" } },
        ],
        expired: { target: "expired", meta: { cites: "interpretation 0004" } },
      },
    },
    help: {
      on: {
        edit: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        instruction: { target: "retried", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
        reject: [
          { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
          { target: "rejected", meta: { cites: "interpretation 0006" } },
        ],
        expired: { target: "expired", meta: { cites: "interpretation 0004" } },
      },
    },
    approval: {
      on: {
        approve: [
          { target: "approved", meta: { cites: "UAICP 5.3" }, guard: "isLastApprover" },
          { target: "approval", meta: { cites: "UAICP 5.3" }, guard: "mayApprove" },
        ],
        edit: { target: "replaced", meta: { cites: "UpFormat Table 2" } },
        instruction: { target: "revised", meta: { cites: "interpretation 0006" }, guard: "mayRevise" },
        reject: { target: "declined", meta: { cites: "UAICP 5.3" } },
        expired: [
          { target: "declined", meta: { cites: "interpretation 0004" }, guard: "isDefaulted" },
          { target: "expired", meta: { cites: "interpretation 0004" } },
        ],
      },
    },
    doubt: {
      on: {
        approve: { target: "confirmed", meta: { cites: "interpretation 0005" } },
        edit: [
          { target: "repeated", meta: { cites: "interpretation 0005" }, guard: "isAbsent" },
          { target: "confirmed", meta: { cites: "interpretation 0005" } },
        ],
        reject: { target: "ruledOut", meta: { cites: "interpretation 0005" } },
        expired: { target: "expired", meta: { cites: "interpretation 0004" } },
      },
    },
    tool: {
      on: {
        approve: { target: "continued", meta: { cites: "UpFormat Table 3" } },
        edit: { target: "continued", meta: { cites: "UpFormat Table 3" } },
        rank: { target: "continued", meta: { cites: "UpFormat Table 3" } },
        instruction: { target: "continued", meta: { cites: "UpFormat Table 3" } },
        reject: { target: "abandoned", meta: { cites: "UpFormat Table 2" } },
        expired: [
          { target: "continued", meta: { cites: "interpretation 0004" }, guard: "isDefaulted" },
          { target: "expired", meta: { cites: "interpretation 0004" } },
        ],
      },
    },
    host: {
      on: {
        approve: { target: "kept", meta: { cites: "interpretation 0049" } },
        reject: { target: "stopped", meta: { cites: "interpretation 0049" } },
        expired: { target: "kept", meta: { cites: "interpretation 0049" } },
      },
    },
    limit: {
      on: {
        approve: { target: "extended", meta: { cites: "interpretation 0081" } },
        reject: { target: "spent", meta: { cites: "interpretation 0081" } },
        expired: { target: "spent", meta: { cites: "interpretation 0081" } },
      },
    },
    informed: {},
    waived: {},
    replaced: {},
    retried: {},
    revised: {},
    rejected: {},
    approved: {},
    declined: {},
    confirmed: {},
    repeated: {},
    ruledOut: {},
    continued: {},
    abandoned: {},
    kept: {},
    stopped: {},
    extended: {},
    spent: {},
    expired: {},
  },
});
