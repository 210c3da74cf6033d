import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { shownName } from '../../base/text/foreign-text.ts';

/** Returns the tools of a task class whose calls only a signed approval clears (UAICP 5.3). */
const signedOnly = (
  { tools: names, contract }: DefinedTaskClass,
  tools: ReadonlyMap<string, Tool>,
): readonly string[] =>
  contract.authorities.every((one) => one === 'approval')
    ? names.filter((name) => tools.get(name)?.tier === 'write_high_risk')
    : [];

/** Warns of task classes whose high-risk calls no one can approve, as no token can be verified without `approvals`. */
export const warnOfUnapprovable = (
  taskClasses: Iterable<DefinedTaskClass>,
  tools: ReadonlyMap<string, Tool>,
): void => {
  for (const taskClass of taskClasses) {
    const names = signedOnly(taskClass, tools);
    if (names.length === 0) continue;
    process.emitWarning(
      `no one can approve a call of ${names.map(shownName).join(', ')} in task class ${shownName(taskClass.id)}: it is write_high_risk and takes signed approvals only. Pass \`approvals\`, such as jwsApprovals(...), or list 'human' in \`authorities\` of the task class`,
      { type: 'AgentCharterWarning', code: 'AGENTCHARTER_NO_APPROVER' },
    );
  }
};
