import type { BoundServer } from './bound-server.ts';
import { undoneBy } from './contracts.ts';
import { local } from './gateway.ts';
import type { Charter } from './read-charter.ts';
import { names, servedName } from './names.ts';
import { rulesFor, whatHappens } from './rules.ts';
import { servedTools } from './served-tools.ts';

/** Returns the rows of a table, each column as wide as its widest cell. */
const inColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/**
 * Returns what a gateway would do, in lines: each tool with its clients, tier, what happens to a call and who undoes it; then
 * the tools that are left out, each with the line that exposes it.
 */
export const reportOf = (charter: Charter, bound: readonly BoundServer[]): readonly string[] => {
  const { clients, people, tools: contracts, prefix } = charter.terms;
  const exposed = bound.flatMap((one) => one.exposed);
  servedTools(exposed, [], prefix); // throws for two of one name
  const tools = exposed.map(({ tool }) => tool);
  const rules = rulesFor(charter, tools);
  const seers = (name: string): string => {
    const seen = clients.flatMap(({ name: client, tools: only }) =>
      only === undefined || only.some((one) => names(one, name)) ? [client] : [],
    );
    return clients.length === 0 ? local : seen.join(', ') || 'no client';
  };
  const rows = tools.map((tool) => {
    const { name, tier } = tool;
    const undo = undoneBy(contracts[name] ?? {});
    return [
      servedName(name),
      seers(name),
      tier,
      `${whatHappens(tool, rules, people.join(' or '))}${undo && `; ${undo}`}`,
    ];
  });
  const down = bound.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const changed = bound.flatMap((one) =>
    one.changed.map(
      (name) =>
        `${name} changed, and is refused until you run: agentcharter gateway ${charter.file} --accept ${name}`,
    ),
  );
  const left = bound.flatMap(({ leftOut }) => leftOut);
  return [
    ...inColumns([['TOOL', 'CLIENTS', 'TIER', 'A CALL'], ...rows]),
    ...[...down, ...changed].flatMap((line) => ['', line]),
    ...(left.length === 0 ? [] : ['', 'Left out. To expose one, add its line under `tools`:']),
    ...left.flatMap(({ line, why }) => [`  ${line}  # ${why}`]),
  ];
};
