import type { Context } from '../../machines/index.ts';
import { pool } from './outputs.ts';
import type { EvidenceWords, Requirements, TaskClass } from './vocabulary.ts';

const required = ({ evidence, verifiers }: Requirements, more: Partial<Requirements>): Requirements => ({
  evidence: [...evidence, ...(more.evidence ?? [])],
  verifiers: [...verifiers, ...(more.verifiers ?? [])],
});

const without = (id: string): readonly string[] => [
  ...new Set(pool.flatMap(({ tool }) => (tool === `tool-${id}` ? [] : [tool]))),
];

/** What may be another one in a contract that comes into force on the way; some of it is no stricter. */
export const changesOf = ({ taskClass }: Context): readonly [Partial<TaskClass>, ...Partial<TaskClass>[]] => {
  const { beforeWrite, beforeDeliver } = taskClass;
  return [
    { threshold: 0.8 },
    { threshold: 0.95 },
    { threshold: 0.1 },
    { unstated: 'ask' },
    { unstated: 'proceed', selfApproval: true },
    { tools: without('u') },
    { tools: without('r') },
    { tools: without('w') },
    { beforeWrite: required(beforeWrite, { verifiers: ['sums'] }) },
    { beforeWrite: required(beforeWrite, { evidence: [{ tool: 'tool-r', type: 'tool_result' }] }) },
    { beforeDeliver: required(beforeDeliver, { verifiers: ['facts'] }) },
    { beforeDeliver: { evidence: [{ type: 'tool_result', allowEmpty: true }], verifiers: [] } },
    { approvers: 2 },
    { approvers: 1, limits: { ...taskClass.limits, pauses: 99 }, followup: true, repairTo: 'plan' },
    { authorities: ['human', 'approval'] },
    { defaults: ['approval', 'tool'] },
    { selfApproval: false },
    { id: 'other', threshold: 1 },
    { host: true, threshold: 0.4 },
    { flows: 'refuse' },
  ];
};

/** What evidence may say beside its name and type. */
export const brought: readonly [Partial<EvidenceWords>, ...Partial<EvidenceWords>[]] = [
  {},
  {},
  { meets: ['same'], subjects: { same: 'a' } },
  { meets: ['same', 'other'], subjects: { same: 'a', other: 'a' } },
  { meets: ['same'], subjects: { same: 'b' } },
  { meets: ['same'] },
  { meets: ['other'], subjects: { same: 'b', other: 'a' } },
  { subjects: { same: 'a' } },
  { empty: true },
  { empty: false, meets: ['same'], subjects: { same: 'b' } },
];
