import { shownName } from '../base/text/foreign-text.ts';
import type { Tool } from '../base/ports/tool.ts';

/** Warns of tools that are tasks of a class without an agent: such a task waits until the host resumes it. */
export const warnOfUnattended = (tools: readonly Tool[], agents: object): void => {
  for (const { name, child } of tools) {
    if (child === undefined || Object.hasOwn(agents, child.taskClass)) continue;
    const taskClass = shownName(child.taskClass);
    process.emitWarning(
      `no agent here performs task class ${taskClass} of tool ${shownName(name)}: a call waits until you, or another node, resume its task. Pass \`agents\` with ${taskClass}`,
      { type: 'AgentCharterWarning', code: 'AGENTCHARTER_NO_AGENT' },
    );
  }
};
