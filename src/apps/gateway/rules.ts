import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import type { Policy, PolicyOfRules } from '../../base/ports/policy.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { PolicyRule } from '../../gates/policies/rule.ts';
import { shownName } from '../../base/text/foreign-text.ts';
import { policyFileIn, rulesIn } from './charter-file.ts';
import { names, partsOf } from './names.ts';
import type { Charter } from './read-charter.ts';

/** Returns an issue for each name that an earlier client has. */
const twice = (names: readonly string[], what: string) =>
  names.flatMap((name, at) =>
    names.indexOf(name) === at ? [] : [{ path: pointerTo(['clients', at]), message: what }],
  );

/** Returns what the rules of a policy name; nothing of a policy without rules. */
export const namesIn = (policy: Policy): PolicyOfRules['ruleNames'] =>
  'ruleNames' in policy ? (policy as PolicyOfRules).ruleNames : []; // as the policies of the library have it

/** Throws `document_invalid` for names of tools that are not exposed; those of a server that is down are not known. */
export const checkNamed = (
  { terms, fault }: Charter,
  tools: readonly Tool[],
  isDown: (server: string) => boolean,
  policy: Policy | null,
): void => {
  const known = tools.map(({ name }) => name);
  const wrong = (name: string, path: readonly (string | number)[], reads: string) => {
    if (name.endsWith('.*') || isDown(partsOf(name)[0])) return [];
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      return [
        { path: pointerTo(path), message: `no tool ${shownName(name)} is exposed${didYouMean(name, known)}` },
      ];
    return tool.tier === 'read_only' && reads !== '' ? [{ path: pointerTo(path), message: reads }] : [];
  };
  const reads = 'names a tool that is read_only: no one is asked about reads. Take it out of this rule';
  const { evidence } = { evidence: undefined, ...terms.beforeDeliver };
  const required =
    evidence?.flatMap((one, at) =>
      'tool' in one && typeof one.tool === 'string' ? [{ tool: one.tool, at }] : [],
    ) ?? [];
  const issues = [
    ...twice(
      terms.clients.map(({ name }) => name),
      'another client has this name',
    ),
    ...terms.people.flatMap((person, at) =>
      person === terms.owner || terms.clients.some(({ name }) => name === person)
        ? [
            {
              path: pointerTo(['people', at]),
              message: `${shownName(person)} is the owner or a client, who may not approve its own calls: name another person, or set another \`owner\``,
            },
          ]
        : [],
    ),
    ...terms.clients.flatMap(({ asks }, at) =>
      asks === undefined || terms.people.includes(asks)
        ? []
        : [
            {
              path: pointerTo(['clients', at, 'asks']),
              message: `${shownName(asks)} is none of \`people\`${didYouMean(asks, terms.people)}`,
            },
          ],
    ),
    ...required.flatMap(({ tool, at }) => wrong(tool, ['beforeDeliver', 'evidence', at, 'tool'], '')),
    ...rulesIn(terms).flatMap((rule, at) =>
      rule.tools.flatMap((name, of) => wrong(name, ['policy', at, 'tools', of], reads)),
    ),
    ...(policy === null ? [] : namesIn(policy)).flatMap(({ rule, tools: named }) =>
      named
        .flatMap((name) => wrong(name, ['policy', policyFileIn(terms)?.member ?? ''], ''))
        .map(({ path, message }) => ({ path, message: `its rule ${rule}: ${message}` })),
    ),
    ...terms.clients.flatMap(({ tools: seen = [] }, at) =>
      seen.flatMap((name, of) => wrong(name, ['clients', at, 'tools', of], '')),
    ),
  ];
  if (issues.length > 0) throw fault(issues);
};

/** The reason of a write that no rule names. */
const byDefault = 'no rule of the charter allows it without a person';

/** Returns the rules of the file for these tools. A write that none names is put to a person. */
export const rulesFor = ({ terms }: Charter, tools: readonly Tool[]): readonly PolicyRule[] => {
  const writes = tools.flatMap(({ name, tier }) => (tier === 'read_only' ? [] : [name]));
  const rules = rulesIn(terms).flatMap(({ tools: named, verdict, reason }): PolicyRule[] => {
    const matched = writes.filter((tool) => named.some((name) => names(name, tool)));
    if (matched.length === 0) return [];
    return [{ tools: matched, verdict, reason, ...(verdict === 'deny' && { ends: 'call' as const }) }];
  });
  const others = writes.filter((tool) => !rules.some((rule) => rule.tools?.includes(tool)));
  return others.length === 0
    ? rules
    : [...rules, { tools: others, verdict: 'needs_review', reason: byDefault }];
};

/** What happens to a call of a tool, and under which rule, in words. */
interface Expected {
  readonly call: string;
  readonly rule: string;
}

/** Returns what happens to a call of a tool. `decider` is the name of the policy, if it is elsewhere. */
export const expectedOf = (
  { name, tier }: Tool,
  rules: readonly PolicyRule[],
  people: string,
  decider: string | null,
): Expected => {
  const waits = `waits for ${people}`;
  if (tier === 'read_only') return { call: 'is called', rule: 'default' };
  if (decider !== null) {
    const call = tier === 'write_high_risk' ? `${waits}, unless ${decider} refuses it` : `${decider} decides`;
    return { call, rule: decider };
  }
  const matching = rules.filter(({ tools }) => tools?.includes(name));
  const verdict = (['deny', 'needs_review'] as const).find((one) =>
    matching.some((rule) => rule.verdict === one),
  );
  const deciding = matching.filter((rule) => rule.verdict === (verdict ?? 'allow'));
  const rule = deciding.map(({ reason }) => (reason === byDefault ? 'default' : reason)).join('; ');
  if (verdict === 'deny') return { call: 'is refused', rule };
  return { call: verdict === undefined && tier !== 'write_high_risk' ? 'is called' : waits, rule };
};
