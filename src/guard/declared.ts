import * as z from 'zod';
import { parseDocument, refusal } from '../base/boundary/parse-document.ts';
import { frozenCopy } from '../base/canonical/freeze.ts';
import { unknownTools } from '../core/shell/declared-tools.ts';
import { recordedName } from '../base/define/formerly.ts';
import type { TaskView } from '../core/kernel/view.ts';
import type { GuardContext } from './guard-context.ts';

type View = Pick<TaskView, 'allowed' | 'projection'>;

/** Reads tools that an agent declares. Throws `document_invalid` for one that its task class does not have. */
const readDeclared = (
  declared: unknown,
  { allowed }: View,
  { tools }: Pick<GuardContext, 'tools'>,
): readonly string[] => {
  const given = parseDocument('tools', z.array(z.string()), frozenCopy(declared, 'tools'));
  const names = given.map((name) => recordedName(tools, allowed, name));
  const issues = unknownTools(names, allowed);
  if (issues.length > 0) throw refusal('tools', issues);
  return names;
};

/** Returns whether calls of these tools are within the mandate of a run, or will be once they are declared. */
const isWithinMandate = (tools: readonly string[], { projection }: View): boolean => {
  const { mandate } = projection.request;
  const { shown, mandated } = projection.provenance;
  if (mandate === undefined || (mandate === 'plan' && shown.integrity === 'trusted')) return true;
  const within = mandate === 'plan' ? mandated : mandate;
  return tools.every((tool) => within.includes(tool));
};

/** The tools that the agent of a run declared. */
export class Declared {
  readonly #names = new Set<string>();
  readonly #view: () => Promise<View>;
  readonly #context: Pick<GuardContext, 'tools'>;

  constructor(taskId: string, context: Pick<GuardContext, 'tools' | 'view'>) {
    this.#view = () => context.view(taskId);
    this.#context = context;
  }

  /** Declares tools. Returns whether they are within the mandate of the run, or will be. */
  async declare(tools: readonly string[]): Promise<boolean> {
    const view = await this.#view();
    const declared = readDeclared(tools, view, this.#context);
    for (const tool of declared) this.#names.add(tool);
    return isWithinMandate(declared, view);
  }

  /** Returns the tools that are not within the mandate yet; none if it is too late. */
  async notYetMandated(): Promise<readonly string[]> {
    if (this.#names.size === 0) return [];
    const { projection } = await this.#view();
    const { shown, mandated } = projection.provenance;
    if (projection.request.mandate !== 'plan' || shown.integrity !== 'trusted') return [];
    return [...this.#names].filter((tool) => !mandated.includes(tool));
  }
}
