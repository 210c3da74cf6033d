import {
  clausesOf,
  type EvidenceClause,
  type Requirements,
  type TaskClass,
} from '../../../machines/index.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { Issue } from '../errors.ts';
import type { Flows } from '../ports/origin.ts';
import type { Tool } from '../ports/tool.ts';
import { nameOf } from './evidence.ts';
import type { DefinedTaskClass } from './task-class.ts';

type ToolsByName = ReadonlyMap<string, Tool>;

/** The names that tools have now, by the tools that stand for them under a former name. */
const nameNow = new WeakMap<Tool, string>();

/** Returns the issues of former names that are the name of a tool, or the former name of another one. */
export const formerNameIssues = (tools: ToolsByName): readonly Issue[] => {
  const owners = new Map<string, string>();
  return [...tools.values()].flatMap(({ name, formerly = [] }) =>
    formerly.flatMap((former) => {
      const owner = tools.has(former) ? former : owners.get(former);
      owners.set(former, name);
      if (owner === undefined) return [];
      const has = owner === former ? 'a tool has this name now' : `tool ${JSON.stringify(owner)} has it too`;
      const message = `former name ${JSON.stringify(former)}: ${has}; expected a name that only this tool had`;
      return [{ path: `/tools/${name}/formerly`, message }];
    }),
  );
};

/**
 * Returns tools by their names and by their former names. Under a former name a tool has that name: what a task recorded
 * stays the same action. What a flow takes from a tool, it takes from its former names too.
 */
export const withFormerNames = (tools: ToolsByName): ToolsByName => {
  const all = new Map<string, Tool>();
  const withFormer: WithNames = (names) =>
    names.flatMap((name) => [name, ...(tools.get(name)?.formerly ?? [])]);
  for (const tool of tools.values()) {
    const { name, flows = {} } = tool;
    const isOfRenamed = [...tools.values()].some(
      (one) => one.formerly !== undefined && namesIn(flows).includes(one.name),
    );
    all.set(
      name,
      isOfRenamed ? Object.freeze({ ...tool, flows: deepFreeze(withSources(flows, withFormer)) }) : tool,
    );
  }
  const current = Array.from(all.values());
  for (const tool of current)
    for (const name of tool.formerly ?? []) {
      const under = Object.freeze({ ...tool, name });
      nameNow.set(under, tool.name);
      all.set(name, under);
    }
  return all;
};

/** Returns the name that the tool of a recorded name has now; an unknown name as it is. */
export const currentName = (tools: ToolsByName, name: string): string => {
  const tool = tools.get(name);
  return (tool && nameNow.get(tool)) ?? name;
};

/** Returns the names of a task that mean the same tool. */
const recordedNames = (tools: ToolsByName, recorded: readonly string[], name: string): readonly string[] =>
  recorded.includes(name)
    ? [name]
    : recorded.filter((one) => currentName(tools, one) === currentName(tools, name));

/** Returns which of the names of a task means the same tool; a name that means none, or several of them, as it is. */
export const recordedName = (tools: ToolsByName, recorded: readonly string[], name: string): string => {
  const [only = name, ...more] = new Set(recordedNames(tools, recorded, name));
  return more.length === 0 ? only : name;
};

type WithNames = (names: readonly string[]) => readonly string[];

const withSources = (flows: Flows, change: WithNames): Flows =>
  Object.fromEntries(
    Object.entries(flows).map(([pointer, flow]) => {
      const changed = [flow].flat().map((one) => (one.from ? { ...one, from: change(one.from) } : one));
      return [pointer, Array.isArray(flow) ? changed : (changed[0] ?? {})];
    }),
  );

const namesIn = (flows: Flows): readonly string[] =>
  Object.values(flows)
    .flat()
    .flatMap(({ from = [] }) => from);

/** Returns flows in which each tool has the name that it has now, to compare them. */
export const flowsNow = (flows: Flows | undefined, tools: ToolsByName): Flows | undefined =>
  flows && withSources(flows, (names) => [...new Set(names.map((name) => currentName(tools, name)))]);

/**
 * Returns a task class in the names of the contract that a task began with: its tools, its evidence and its checks. The
 * chart compares names, and a renamed tool is the same tool.
 */
export const inRecordedNames = (
  taskClass: DefinedTaskClass,
  begun: TaskClass,
  tools: ToolsByName,
): DefinedTaskClass => {
  const required = [...begun.beforeWrite.evidence, ...begun.beforeDeliver.evidence].flatMap(clausesOf);
  const recorded = [...(begun.tools ?? []), ...required.flatMap(({ tool }) => tool ?? [])];
  const renamed = (name: string): string => recordedName(tools, recorded, name);
  if (recorded.every((name) => currentName(tools, name) === name)) return taskClass;
  const checks = taskClass.checks.map((check) => {
    const known = check.tool === undefined ? check : { ...check, tool: renamed(check.tool) };
    return { ...known, name: nameOf(known) };
  });
  const clause = ({ tool, check, ...rest }: EvidenceClause): EvidenceClause => ({
    ...rest,
    ...(tool !== undefined && { tool: renamed(tool) }),
    ...(check !== undefined && {
      check: checks[taskClass.checks.findIndex(({ name }) => name === check)]?.name ?? check,
    }),
  });
  const requirements = ({ evidence, verifiers }: Requirements): Requirements => ({
    verifiers,
    evidence: evidence.map((one) => ('anyOf' in one ? { anyOf: one.anyOf.map(clause) } : clause(one))),
  });
  const { contract } = taskClass;
  const names = [
    ...new Set(
      taskClass.tools.flatMap((name) => {
        const known = recordedNames(tools, recorded, name);
        return known.length === 0 ? [name] : known;
      }),
    ),
  ];
  return {
    ...taskClass,
    tools: names,
    checks,
    contract: {
      ...contract,
      ...(contract.tools && { tools: names }),
      beforeWrite: requirements(contract.beforeWrite),
      beforeDeliver: requirements(contract.beforeDeliver),
    },
  };
};
