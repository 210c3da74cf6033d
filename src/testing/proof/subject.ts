import {
  clausesOf,
  type EvidenceClause,
  type ProposedCall,
  type TaskClass,
} from '../../../machines/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Tool } from '../../base/ports/tool.ts';

/** A write of a task class, with the tools that it represents: no rule of the chart distinguishes them. */
export interface WriteCase {
  readonly call: ProposedCall;
  readonly represents: readonly string[];
}

/** What is proved: a task class as data, and one call of each of its tools. */
export interface ProofSubject {
  readonly id: string;
  readonly contract: TaskClass;
  readonly calls: readonly ProposedCall[];
  /** One write for each class that a rule distinguishes. */
  readonly writes: readonly WriteCase[];
  /** The tools whose calls may be held, because of the origins that they accept or the mandate of the task class. */
  readonly holding: ReadonlySet<string>;
  /** The reads among them: no rule of the chart distinguishes them once they are held. */
  readonly heldReads: readonly ProposedCall[];
  /** The types of evidence of each tool: its own, and those that are required of it. */
  readonly types: ReadonlyMap<string, readonly EvidenceClause['type'][]>;
}

/** The value that evidence and calls share, if a requirement compares them. */
const subject = 'the-same';

type Gates = Pick<TaskClass, 'beforeWrite' | 'beforeDeliver'>;

/** Returns every clause of the requirements of a task class. */
export const clausesIn = ({ beforeWrite, beforeDeliver }: Gates): readonly EvidenceClause[] =>
  [...beforeWrite.evidence, ...beforeDeliver.evidence].flatMap(clausesOf);

/** Returns the names of the checks of evidence, and the subjects of those that compare it with the call. */
export const checksIn = (contract: Gates) => {
  const clauses = clausesIn(contract);
  const named = (only: (clause: EvidenceClause) => boolean): string[] => [
    ...new Set(clauses.filter(only).flatMap(({ check }) => check ?? [])),
  ];
  return {
    meets: named(() => true),
    subjects: Object.fromEntries(named(({ ofAction }) => ofAction === true).map((check) => [check, subject])),
  };
};

const callOf = ({ name, tier, rollback }: Tool, contract: TaskClass): ProposedCall => {
  const { subjects } = checksIn(contract);
  const hasSubjects = tier !== 'read_only' && Object.keys(subjects).length > 0;
  return {
    id: name,
    tool: name,
    tier,
    digest: `action-${name.replaceAll(' ', '_')}`.slice(0, 128),
    rollback: rollback !== null,
    ...(hasSubjects && { subjects }),
  };
};

const typesOf = ({ name, evidenceType }: Tool, contract: TaskClass): readonly EvidenceClause['type'][] => [
  ...new Set([evidenceType, ...clausesIn(contract).flatMap(({ tool, type }) => (tool === name ? type : []))]),
];

const toolsOf = ({ id, tools: names }: DefinedTaskClass, tools: readonly Tool[]): readonly Tool[] =>
  names.map((name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool !== undefined) return tool;
    const known = tools.map((one) => one.name);
    throw new RangeError(
      `prove: task class ${id} names the tool ${JSON.stringify(name)}, which is not in \`tools\`${didYouMean(name, known)}`,
    );
  });

/** Returns the subject of a proof. Throws `RangeError` if a tool of the task class is missing. */
export const proofSubject = (taskClass: DefinedTaskClass, given: readonly Tool[]): ProofSubject => {
  const { id } = taskClass;
  const contract: TaskClass = { ...taskClass.contract, atLimit: 'stop' }; // beyond a limit it is the same again
  const tools = toolsOf(taskClass, given);
  const calls = tools.map((tool) => callOf(tool, contract));
  const required = new Set(clausesIn(contract).flatMap(({ tool }) => tool ?? []));
  const holding = new Set(
    tools.flatMap(({ name, flows }) =>
      flows !== undefined || taskClass.mandate !== undefined ? [name] : [],
    ),
  );
  const caseOf = ({ tool, tier, rollback }: ProposedCall): string =>
    required.has(tool) ? tool : `${tier} ${rollback} ${holding.has(tool)}`;
  const writes = new Map<string, ProposedCall[]>();
  for (const call of calls.filter(({ tier }) => tier !== 'read_only'))
    writes.set(caseOf(call), [...(writes.get(caseOf(call)) ?? []), call]);
  return {
    id,
    contract,
    calls,
    writes: [...writes.values()].flatMap(([call, ...others]) =>
      call === undefined ? [] : [{ call, represents: others.map(({ tool }) => tool) }],
    ),
    holding,
    heldReads: calls.filter(({ tier, tool }) => tier === 'read_only' && holding.has(tool)),
    types: new Map(tools.map((tool) => [tool.name, typesOf(tool, contract)])),
  };
};
