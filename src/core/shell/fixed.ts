import { deepFreeze, ownCopy } from '../../base/canonical/deep-freeze.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Rollback, Tool } from '../../base/ports/tool.ts';
import type { Verifier } from '../../base/ports/verifier.ts';

const fixedRollback = (rollback: Rollback): Rollback => {
  const { lookup } = rollback;
  return Object.freeze({
    ...rollback,
    describe: rollback.describe.bind(rollback),
    run: rollback.run.bind(rollback),
    ...(lookup && { lookup: lookup.bind(rollback) }),
  });
};

/** Returns a frozen copy of a tool, so that later changes to the original have no effect. */
export const fixedTool = (tool: Tool): Tool => {
  const { rollback, lookup } = tool;
  if (Object.isFrozen(tool) && (rollback === null || Object.isFrozen(rollback))) return tool;
  return Object.freeze({
    ...tool,
    call: tool.call.bind(tool),
    rollback: rollback && fixedRollback(rollback),
    lookup: lookup && lookup.bind(tool),
  });
};

/** Returns a frozen copy of a verifier. */
export const fixedVerifier = (verifier: Verifier): Verifier => {
  if (Object.isFrozen(verifier)) return verifier;
  const { requires } = verifier;
  return Object.freeze({
    ...verifier,
    verify: verifier.verify.bind(verifier),
    ...(requires && { requires: Object.freeze([...requires]) }),
  });
};

/** Returns a frozen copy of a task class. */
export const fixedTaskClass = (taskClass: DefinedTaskClass): DefinedTaskClass => {
  if (Object.isFrozen(taskClass)) return taskClass;
  const { tools, contract, deadlines, defaults } = taskClass;
  const terms = deepFreeze(ownCopy({ tools, contract, deadlines, ...(defaults && { defaults }) }));
  return Object.freeze({ ...taskClass, ...terms });
};
