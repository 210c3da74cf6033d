import { changedIn, type BoundServer } from './bound-server.ts';
import { policyFileIn } from './charter-file.ts';
import { undoneBy } from './contracts.ts';
import { local } from './gateway.ts';
import type { Surroundings } from './inner-server.ts';
import { inColumns } from './in-columns.ts';
import { keyOf, type Offer } from './passed-on.ts';
import type { Charter } from './read-charter.ts';
import { shownNames } from '../../base/text/foreign-text.ts';
import { names, servedName } from './names.ts';
import { expectedOf, rulesFor } from './rules.ts';
import { seenBy, servedTools } from './served-tools.ts';

/** Returns what the servers have besides tools, in lines: what clients get, and what is not passed on. */
const othersOf = ({ servers }: Charter['terms'], offers: readonly Offer[]): readonly string[] =>
  offers.flatMap(({ server: { name }, resources, templates, prompts }) => {
    const uris = [
      ...resources.map((one) => keyOf('resources', one)),
      ...templates.map((one) => keyOf('templates', one)),
    ];
    const named = prompts.map((one) => servedName(`${name}.${keyOf('prompts', one)}`));
    const said = (of: 'resources' | 'prompts', all: readonly string[]): readonly string[] => {
      if (all.length === 0) return [];
      const passes = servers[name]?.[of] === true;
      return [
        passes
          ? `${name} passes on ${of}: ${shownNames(all)}`
          : `${name} has ${of} that are not passed on: ${shownNames(all)}. To pass them on, set \`${of}: true\` of the server`,
      ];
    };
    return [...said('resources', uris), ...said('prompts', named)];
  });

/**
 * Returns what a gateway would do, in lines: each tool with its clients, tier, what happens to a call, who undoes it, and under
 * which rule; then what each client of the file sees, and the tools that are left out, each with the line that exposes it.
 */
export const reportOf = (
  { charter }: Pick<Surroundings, 'charter'>,
  bound: readonly BoundServer[],
  offers: readonly Offer[],
): readonly string[] => {
  const { clients, people, tools: contracts, prefix } = charter.terms;
  const exposed = bound.flatMap((one) => one.exposed);
  const served = servedTools(exposed, [], prefix);
  const tools = exposed.map(({ tool }) => tool);
  const rules = rulesFor(charter, tools);
  const decider = policyFileIn(charter.terms)?.path ?? null;
  const seers = (name: string): string => {
    const seen = clients.flatMap(({ name: client, tools: only }) =>
      only === undefined || only.some((one) => names(one, name)) ? [client] : [],
    );
    return clients.length === 0 ? local : seen.join(', ') || 'no client';
  };
  const rows = tools.map((tool) => {
    const { name, tier } = tool;
    const undo = undoneBy(contracts[name] ?? {});
    const { call, rule } = expectedOf(tool, rules, people.join(' or '), decider);
    return [servedName(name), seers(name), tier, `${call}${undo && `; ${undo}`}`, rule];
  });
  const views = clients.map(({ name, tools: only }) => [name, [...seenBy(served, only).keys()].join(', ')]);
  const down = bound.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const left = bound.flatMap(({ leftOut }) => leftOut);
  return [
    ...inColumns([['TOOL', 'CLIENTS', 'TIER', 'A CALL', 'RULE'], ...rows]),
    ...(views.length === 0 ? [] : ['', ...inColumns([['CLIENT', 'SEES'], ...views])]),
    ...[...othersOf(charter.terms, offers), ...down, ...changedIn(charter, bound).values()].flatMap(
      (line) => ['', line],
    ),
    ...(left.length === 0 ? [] : ['', 'Left out. To expose one, add its line under `tools`:']),
    ...left.flatMap(({ line, why }) => [`  ${line}  # ${why}`]),
  ];
};
