import { shownName } from '../text/foreign-text.ts';
import { lackingRollback, type RollbackNeed } from './rollback.ts';

/** Foreign tools that a binding omits, because a call of them could not be cleared (UAICP 5.3). */
export interface OmittedTools {
  /** The names as their source writes them; they may contain invisible characters. */
  readonly names: readonly string[];
  /** Names each tool and what to declare. */
  readonly message: string;
}

/** Called once with all tools that a binding omits; by default a Node.js warning, `AgentCharterWarning`. */
export type OnOmitted = (omitted: OmittedTools) => void;

const warn: OnOmitted = ({ message }) =>
  process.emitWarning(message, { type: 'AgentCharterWarning', code: 'AGENTCHARTER_TOOLS_OMITTED' });

/** The maximum number of omitted tools that are remembered. */
const mostRemembered = 100;

/** Why tools were omitted, by name; the latest ones. */
const omissions = new Map<string, string>();

const remember = (name: string, why: string): void => {
  omissions.delete(name);
  omissions.set(name, why);
  for (const oldest of [...omissions.keys()].slice(0, -mostRemembered)) omissions.delete(oldest);
};

/** Returns which binding omitted a tool of this name and what to declare; `undefined` if none did. */
export const omissionOf = (name: string): string | undefined => omissions.get(name);

/** Returns the tools without those that are high-risk and declare no rollback, and reports these once. */
export const withoutIrreversible = <Foreign>(
  binding: string,
  tools: readonly Foreign[],
  needOf: (tool: Foreign) => RollbackNeed & { readonly name: string },
  onOmitted: OnOmitted = warn,
): readonly Foreign[] => {
  const omitted = tools.flatMap((tool) => {
    const need = needOf(tool);
    const lacking = lackingRollback(need);
    return lacking === null ? [] : [{ tool, name: need.name, lacks: `its rollback ${lacking.message}` }];
  });
  if (omitted.length === 0) return tools;
  for (const { name, lacks } of omitted) remember(name, `${binding} omitted it: in contracts, ${lacks}`);
  const names = omitted.map(({ name }) => name);
  const each = omitted.map(({ name, lacks }) => `${shownName(name)}: ${lacks}`).join('; ');
  onOmitted({
    names,
    message: `${binding} omits tools, so no model can call them. In contracts, ${each}`,
  });
  const omittedTools = new Set(omitted.map(({ tool }) => tool));
  return tools.filter((tool) => !omittedTools.has(tool));
};
