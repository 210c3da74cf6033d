import { setup } from 'xstate';

// To be looked at and clicked through: an event passes its guard; what decides without an event does not,
// so that nothing runs by itself; actions do nothing; what is invoked never ends.
export const machine = setup({
  guards: {
    appliesTo: () => true,
    asks: () => false,
    asksForAnotherPlan: () => true,
    awaits: () => false,
    hasConcluded: () => false,
    hasDraft: () => false,
    hasNoWrites: () => false,
    hasPlan: () => false,
    hasStuckWrites: () => false,
    isAcceptOverdue: () => true,
    isAnswered: () => false,
    isBroken: () => false,
    isCancelled: () => false,
    isChecked: () => false,
    isChoice: () => true,
    isDecided: () => false,
    isDelivered: () => false,
    isFailed: () => false,
    isFollowupOverdue: () => true,
    isIdle: () => false,
    isInDoubt: () => false,
    isMet: () => false,
    isModelOverdue: () => true,
    isOfferOverdue: () => true,
    isOutOfCalls: () => false,
    isOutOfTurns: () => false,
    isPolicyOverdue: () => true,
    isRemark: () => true,
    isReported: () => false,
    isRollbackOverdue: () => true,
    isStartOverdue: () => true,
    isUndone: () => false,
    mayDeliver: () => false,
    mayExecute: () => false,
    mayMend: () => false,
    mayRefresh: () => false,
    mayRepair: () => false,
    mayWrite: () => false,
    mustAsk: () => false,
    mustAssess: () => false,
    mustStop: () => false,
    mustUndoWrites: () => false,
    offersFollowup: () => false,
    owesCalls: () => false,
    owesChecks: () => false,
    owesPolicy: () => false,
    repairsExecute: () => false,
  },
  actions: {
    applyFact: () => {},
    ask: () => {},
    choose: () => {},
    countTurn: () => {},
    deliver: () => {},
    enter: () => {},
    exceed: () => {},
    extend: () => {},
    fail: () => {},
    failSafe: () => {},
    refresh: () => {},
    repair: () => {},
    stop: () => {},
    supersede: () => {},
    withdraw: () => {},
  },
}).createMachine({
  id: "task",
  version: "2",
  options: { maxIterations: 100 },
  initial: "submitted",
  on: {
    "approval.granted": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
    "call.succeeded": { meta: { cites: "UAICP 3 flow" }, guard: "appliesTo", actions: "applyFact" },
    "call.failed": { meta: { cites: "UAICP 3 flow" }, guard: "appliesTo", actions: "applyFact" },
    "call.doubted": { meta: { cites: "interpretation 0005" }, guard: "appliesTo", actions: "applyFact" },
    "call.refused": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
    "taskClass.changed": { meta: { cites: "interpretation 0040" }, guard: "appliesTo", actions: "applyFact" },
    "dependency.awaited": { meta: { cites: "UpFormat Table 2" }, guard: "appliesTo", actions: "applyFact" },
    "dependency.met": { meta: { cites: "UpFormat Table 2" }, guard: "appliesTo", actions: "applyFact" },
    "question.raised": { meta: { cites: "UpFormat 2" }, guard: "appliesTo", actions: "applyFact" },
    "verifier.reported": { meta: { cites: "UAICP 5.2" }, guard: "appliesTo", actions: "applyFact" },
    "evidence.changed": { meta: { cites: "UAICP 5.1" }, guard: "appliesTo", actions: "applyFact" },
    "output.changed": { meta: { cites: "UAICP 5.2" }, guard: "appliesTo", actions: "applyFact" },
    "recovery.started": { meta: { cites: "interpretation 0059" }, guard: "appliesTo", actions: "applyFact" },
    "deadline.passed": { meta: { cites: "interpretation 0004" }, guard: "appliesTo", actions: "applyFact" },
    "task.cancelled": { meta: { cites: "UpFormat Table 2" }, guard: "appliesTo", actions: "applyFact" },
    "run.failed": { meta: { cites: "UAICP 4.1" }, guard: "appliesTo", actions: "applyFact" },
  },
  states: {
    submitted: {
      meta: { cites: "UpFormat Table 2" },
      initial: "intake",
      entry: { type: "enter", params: { of: "submitted" } },
      always: [
        { target: "completed", meta: { cites: "UpFormat Table 3" }, guard: "isDelivered" },
        { target: "cancelled", meta: { cites: "UpFormat Table 2" }, guard: "isCancelled" },
        { target: "failed", meta: { cites: "UpFormat Table 2" }, guard: "isFailed" },
        { target: "needsHumanDecision", meta: { cites: "UpFormat Table 3" }, guard: "asks" },
        { target: "waiting", meta: { cites: "UpFormat Table 3" }, guard: "awaits" },
      ],
      states: {
        intake: {
          meta: { cites: "UAICP 3 states", owes: ["accept", "wake"] },
          entry: { type: "enter", params: { of: "intake" } },
          always: { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
          on: {
            "request.accepted": { target: "plan", meta: { cites: "UAICP 3 states" }, actions: "applyFact" },
            "request.refused": { meta: { cites: "UAICP 5.3" }, actions: "applyFact" },
            "information.requested": { meta: { cites: "UpFormat Table 3" }, guard: "appliesTo", actions: "applyFact" },
            "deadline.passed": {
              meta: { cites: "interpretation 0004" },
              guard: "isAcceptOverdue",
              actions: "applyFact",
            },
          },
        },
        plan: {
          id: "plan",
          meta: { cites: "UAICP 3 states" },
          initial: "proposing",
          entry: { type: "enter", params: { of: "plan" } },
          always: { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
          states: {
            proposing: {
              meta: { cites: "UAICP 3 flow", owes: ["propose", "wake"] },
              always: [
                { target: "assessing", meta: { cites: "UpFormat 2.3" }, guard: "hasPlan" },
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0059" },
                  guard: "isOutOfTurns",
                  actions: { type: "exceed", params: { limit: "modelCalls" } },
                },
              ],
              on: {
                "plan.proposed": {
                  meta: { cites: "UAICP 3 flow" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "information.requested": {
                  meta: { cites: "UpFormat Table 3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "output.rejected": {
                  target: "correcting",
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "help.requested": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "capability.exceeded": { meta: { cites: "UpFormat 2.3" }, actions: ["applyFact", "countTurn"] },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isModelOverdue",
                  actions: "applyFact",
                },
              },
            },
            correcting: {
              meta: { cites: "UpFormat 2.3", owes: ["correct", "wake"] },
              always: [
                { target: "assessing", meta: { cites: "UpFormat 2.3" }, guard: "hasPlan" },
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0059" },
                  guard: "isOutOfTurns",
                  actions: { type: "exceed", params: { limit: "modelCalls" } },
                },
              ],
              on: {
                "plan.proposed": {
                  meta: { cites: "UAICP 3 flow" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "information.requested": {
                  meta: { cites: "UpFormat Table 3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "output.rejected": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "help.requested": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "capability.exceeded": { meta: { cites: "UpFormat 2.3" }, actions: ["applyFact", "countTurn"] },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isModelOverdue",
                  actions: "applyFact",
                },
              },
            },
            assessing: {
              meta: { cites: "UpFormat 2.3" },
              always: [
                { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
                { target: "#execute", meta: { cites: "UpFormat 2.3" }, guard: "mayExecute" },
                {
                  target: "asking",
                  meta: { cites: "UpFormat 2.3" },
                  guard: "mustAsk",
                  actions: "ask",
                },
                {
                  target: "#stop",
                  meta: { cites: "UAICP 4.1" },
                  actions: { type: "fail", params: { gate: "execute" } },
                },
              ],
            },
            asking: {
              meta: { cites: "UpFormat Table 3" },
              always: { target: "assessing", meta: { cites: "UpFormat Table 3" }, guard: "isAnswered" },
            },
          },
        },
        execute: {
          id: "execute",
          meta: { cites: "UAICP 3 states" },
          initial: "dispatching",
          entry: { type: "enter", params: { of: "execute" } },
          always: { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
          states: {
            dispatching: {
              meta: { cites: "UAICP 3 flow" },
              always: [
                { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
                { target: "assessing", meta: { cites: "UpFormat 2.3" }, guard: "mustAssess" },
                {
                  target: "#replace",
                  meta: { cites: "interpretation 0007" },
                  guard: "mustUndoWrites",
                },
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0007" },
                  guard: "hasStuckWrites",
                  actions: { type: "fail", params: { gate: "write" } },
                },
                { target: "calling", meta: { cites: "UAICP 4.2" }, guard: "owesCalls" },
                {
                  target: "asking",
                  meta: { cites: "interpretation 0005" },
                  guard: "isInDoubt",
                  actions: "ask",
                },
                {
                  target: "calling",
                  meta: { cites: "interpretation 0008" },
                  guard: "mayRefresh",
                  actions: "refresh",
                },
                {
                  target: "#repair",
                  meta: { cites: "UAICP 4.1" },
                  guard: "mayMend",
                  actions: { type: "repair", params: { gate: "write" } },
                },
                {
                  target: "#stop",
                  meta: { cites: "UAICP 4.1" },
                  guard: "isBroken",
                  actions: { type: "fail", params: { gate: "write" } },
                },
                { target: "checking", meta: { cites: "UAICP 7" }, guard: "owesChecks" },
                { target: "authorizing", meta: { cites: "UAICP 5.3" }, guard: "owesPolicy" },
                { target: "asking", meta: { cites: "UAICP 5.3" }, guard: "mustAsk", actions: "ask" },
                { target: "calling", meta: { cites: "UAICP 5.3" }, guard: "mayWrite" },
                { target: "#verify", meta: { cites: "UAICP 3 flow" }, guard: "hasConcluded" },
                { target: "concluding", meta: { cites: "UAICP 3 flow" }, guard: "hasNoWrites" },
                {
                  target: "#stop",
                  meta: { cites: "UAICP 4.1" },
                  actions: { type: "fail", params: { gate: "write" } },
                },
              ],
            },
            assessing: {
              meta: { cites: "UpFormat 2.3" },
              always: [
                {
                  target: "dispatching",
                  meta: { cites: "UpFormat 2.3" },
                  guard: "mayExecute",
                  actions: "extend",
                },
                {
                  target: "asking",
                  meta: { cites: "UpFormat 2.3" },
                  guard: "mustAsk",
                  actions: "ask",
                },
                {
                  target: "#stop",
                  meta: { cites: "UAICP 4.1" },
                  actions: { type: "fail", params: { gate: "execute" } },
                },
              ],
            },
            calling: {
              meta: { cites: "UAICP 3 flow", owes: ["call", "observe", "await", "wake"] },
              always: [
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0059" },
                  guard: "isOutOfCalls",
                  actions: { type: "exceed", params: { limit: "calls" } },
                },
                { target: "dispatching", meta: { cites: "UAICP 4.2" }, guard: "isIdle" },
              ],
              on: {
                "call.cleared": { meta: { cites: "interpretation 0040" }, guard: "appliesTo", actions: "applyFact" },
                "call.started": { meta: { cites: "UAICP 3 flow" }, guard: "appliesTo", actions: "applyFact" },
                "deadline.passed": {
                  meta: { cites: "interpretation 0040" },
                  guard: "isStartOverdue",
                  actions: "applyFact",
                },
              },
            },
            checking: {
              meta: { cites: "UAICP 7", owes: ["verify", "wake"] },
              always: { target: "dispatching", meta: { cites: "UAICP 5.2" }, guard: "isChecked" },
            },
            authorizing: {
              meta: { cites: "UAICP 5.3", owes: ["decide", "wake"] },
              always: { target: "dispatching", meta: { cites: "UAICP 5.3" }, guard: "isDecided" },
              on: {
                "policy.decided": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isPolicyOverdue",
                  actions: "applyFact",
                },
              },
            },
            asking: {
              meta: { cites: "UpFormat Table 3" },
              always: { target: "dispatching", meta: { cites: "UpFormat Table 3" }, guard: "isAnswered" },
            },
            concluding: {
              meta: { cites: "UAICP 3 flow", owes: ["conclude", "wake"] },
              always: [
                { target: "dispatching", meta: { cites: "UAICP 3 flow" }, guard: "hasDraft" },
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0059" },
                  guard: "isOutOfTurns",
                  actions: { type: "exceed", params: { limit: "modelCalls" } },
                },
              ],
              on: {
                "draft.proposed": {
                  meta: { cites: "UAICP 3 flow" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "calls.proposed": {
                  target: "dispatching",
                  meta: { cites: "interpretation 0003" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "output.rejected": {
                  target: "correcting",
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "help.requested": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "capability.exceeded": { meta: { cites: "UpFormat 2.3" }, actions: ["applyFact", "countTurn"] },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isModelOverdue",
                  actions: "applyFact",
                },
              },
            },
            correcting: {
              meta: { cites: "UpFormat 2.3", owes: ["correct", "wake"] },
              always: [
                { target: "dispatching", meta: { cites: "UpFormat 2.3" }, guard: "hasDraft" },
                {
                  target: "#stop",
                  meta: { cites: "interpretation 0059" },
                  guard: "isOutOfTurns",
                  actions: { type: "exceed", params: { limit: "modelCalls" } },
                },
              ],
              on: {
                "draft.proposed": {
                  meta: { cites: "UAICP 3 flow" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "calls.proposed": {
                  target: "dispatching",
                  meta: { cites: "interpretation 0003" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "output.rejected": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "help.requested": {
                  meta: { cites: "UpFormat 2.3" },
                  guard: "appliesTo",
                  actions: ["applyFact", "countTurn"],
                },
                "capability.exceeded": { meta: { cites: "UpFormat 2.3" }, actions: ["applyFact", "countTurn"] },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isModelOverdue",
                  actions: "applyFact",
                },
              },
            },
          },
        },
        verify: {
          id: "verify",
          meta: { cites: "UAICP 3 states" },
          initial: "verifying",
          entry: { type: "enter", params: { of: "verify" } },
          always: { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
          states: {
            verifying: {
              meta: { cites: "UAICP 5.2", owes: ["verify", "wake"] },
              always: { target: "judging", meta: { cites: "UAICP 3 flow" }, guard: "isReported" },
            },
            judging: {
              meta: { cites: "UAICP 4.1" },
              always: [
                { target: "#deliver", meta: { cites: "UAICP 4.1" }, guard: "mayDeliver" },
                { target: "#execute", meta: { cites: "UpFormat 2.3" }, guard: "mustAsk" },
                {
                  target: "#repair",
                  meta: { cites: "UAICP 4.1" },
                  guard: "mayRepair",
                  actions: { type: "repair", params: { gate: "deliver" } },
                },
                {
                  target: "#stop",
                  meta: { cites: "UAICP 4.1" },
                  actions: { type: "fail", params: { gate: "deliver" } },
                },
              ],
            },
          },
        },
        undoing: {
          tags: "undoing",
          meta: { cites: "UAICP 5.3" },
          initial: "stop",
          states: {
            repair: {
              id: "repair",
              meta: { cites: "UAICP 4.1" },
              always: [
                {
                  target: "#execute",
                  meta: { cites: "UAICP 4.1" },
                  guard: "repairsExecute",
                  actions: { type: "supersede", params: { next: "repairExecute" } },
                },
                {
                  target: "#plan",
                  meta: { cites: "UAICP 4.1" },
                  actions: { type: "supersede", params: { next: "repairPlan" } },
                },
              ],
            },
            stop: {
              id: "stop",
              meta: { cites: "UAICP 5.3", owes: ["observe", "await", "undo", "wake"] },
              entry: "stop",
              always: { target: "#fail_safe", meta: { cites: "UAICP 7" }, guard: "isUndone" },
              on: {
                "rollback.started": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "rollback.succeeded": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "rollback.failed": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isRollbackOverdue",
                  actions: "applyFact",
                },
              },
            },
            replace: {
              id: "replace",
              meta: { cites: "interpretation 0007", owes: ["observe", "await", "undo", "wake"] },
              always: [
                { target: "#stop", meta: { cites: "UAICP 4.1" }, guard: "mustStop" },
                { target: "#execute", meta: { cites: "interpretation 0007" }, guard: "isUndone" },
              ],
              on: {
                "rollback.started": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "rollback.succeeded": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "rollback.failed": { meta: { cites: "UAICP 5.3" }, guard: "appliesTo", actions: "applyFact" },
                "deadline.passed": {
                  meta: { cites: "interpretation 0004" },
                  guard: "isRollbackOverdue",
                  actions: "applyFact",
                },
              },
            },
            revise: {
              id: "revise",
              meta: { cites: "interpretation 0006" },
              always: {
                target: "#plan",
                meta: { cites: "interpretation 0006" },
                actions: { type: "supersede", params: { next: "revise" } },
              },
            },
          },
        },
        deliver: {
          id: "deliver",
          type: "final",
          meta: { cites: "UAICP 4.1" },
          entry: [{ type: "enter", params: { of: "deliver" } }, "deliver"],
        },
        fail_safe: {
          id: "fail_safe",
          type: "final",
          meta: { cites: "UAICP 7" },
          entry: [{ type: "enter", params: { of: "fail_safe" } }, "failSafe"],
        },
        resume: {
          type: "history",
          history: "deep",
          target: "undoing.stop",
          meta: { cites: "interpretation 0009" },
        },
      },
    },
    waiting: {
      meta: { cites: "UpFormat Table 2", owes: ["await", "observe", "wake"] },
      entry: { type: "enter", params: { of: "waiting" } },
      always: [
        { target: "needsHumanDecision", meta: { cites: "interpretation 0009" }, guard: "asks" },
        { target: "submitted.resume", meta: { cites: "UpFormat Table 2" }, guard: "isMet" },
      ],
    },
    needsHumanDecision: {
      meta: { cites: "UpFormat Table 2", owes: ["ask", "await", "observe", "wake"] },
      entry: { type: "enter", params: { of: "needsHumanDecision" } },
      always: { target: "submitted.resume", meta: { cites: "UpFormat Table 3" }, guard: "isAnswered" },
      on: {
        "human.responded": [
          {
            target: "#revise",
            meta: { cites: "interpretation 0006" },
            guard: "asksForAnotherPlan",
            actions: "applyFact",
          },
          { meta: { cites: "UpFormat Table 3" }, guard: "appliesTo", actions: "applyFact" },
        ],
      },
    },
    completed: {
      id: "completed",
      meta: { cites: "UpFormat Table 2" },
      initial: "concluded",
      entry: { type: "enter", params: { of: "completed" } },
      states: {
        concluded: {
          meta: { cites: "UpFormat Table 3" },
          always: [
            { target: "offering", meta: { cites: "UpFormat Table 3" }, guard: "offersFollowup" },
            { target: "settled", meta: { cites: "UpFormat Table 2" } },
          ],
        },
        offering: {
          meta: { cites: "UpFormat Table 3", owes: ["offer", "wake"] },
          on: {
            "followup.offered": { target: "#followup", meta: { cites: "UpFormat Table 3" }, actions: "applyFact" },
            "deadline.passed": {
              target: "settled",
              meta: { cites: "interpretation 0010" },
              guard: "isOfferOverdue",
              actions: "applyFact",
            },
            "task.cancelled": { target: "settled", meta: { cites: "interpretation 0010" }, actions: "withdraw" },
          },
        },
        settled: { type: "final", tags: "settled", meta: { cites: "UpFormat Table 2" } },
      },
    },
    followup: {
      id: "followup",
      meta: { cites: "UpFormat Table 2", owes: ["refine", "wake"] },
      entry: { type: "enter", params: { of: "followup" } },
      on: {
        "human.responded": [
          {
            target: "completed",
            meta: { cites: "interpretation 0010" },
            guard: "isChoice",
            actions: ["applyFact", "choose"],
          },
          { meta: { cites: "interpretation 0010" }, guard: "isRemark", actions: "applyFact" },
        ],
        "deadline.passed": {
          target: "completed",
          meta: { cites: "UpFormat 3.1" },
          guard: "isFollowupOverdue",
          actions: "applyFact",
        },
        "task.cancelled": { target: "completed", meta: { cites: "interpretation 0010" }, actions: "withdraw" },
        "changes.requested": {
          target: "submitted",
          meta: { cites: "UpFormat Table 3" },
          guard: "appliesTo",
          actions: "applyFact",
        },
      },
    },
    failed: {
      type: "final",
      tags: "settled",
      meta: { cites: "UpFormat Table 2" },
      entry: { type: "enter", params: { of: "failed" } },
    },
    cancelled: {
      type: "final",
      tags: "settled",
      meta: { cites: "UpFormat Table 2" },
      entry: { type: "enter", params: { of: "cancelled" } },
    },
  },
});
