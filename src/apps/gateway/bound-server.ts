import { mcpTools, tierOf } from '../../adapters/mcp/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { ToolHints } from '../../base/define/hints.ts';
import { causeOf, isCharterError } from '../../base/errors.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { shownName } from '../../base/text/foreign-text.ts';
import { contractOf, rollbackIssues } from './contracts.ts';
import type { Definition, InnerServer } from './inner-server.ts';
import { partsOf } from './names.ts';
import type { Pins } from './pins.ts';
import type { Charter } from './read-charter.ts';

/** Bytes of a result that clients get; over stdio, the SDK reads at most 10 MiB. What is too large for a record is in `blobs.db`. */
const resultBytes = 8_388_608;

/** A tool that no client sees: why, and the line of the file that exposes it. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
  readonly line: string;
}

/** A tool of a server, as clients see it. */
export interface Exposed {
  readonly tool: Tool;
  readonly definition: Definition;
}

/** What became of the tools of a server. */
export interface BoundServer {
  readonly server: InnerServer;
  readonly exposed: readonly Exposed[];
  readonly leftOut: readonly LeftOut[];
  /** The names of exposed tools whose definition is another one than a person accepted. */
  readonly changed: readonly string[];
  /** The definitions of today, by `server.tool`. */
  readonly seen: Pins;
  /** Why it does not start; `null` if it runs. */
  readonly failure: string | null;
}

/** Returns the line of the file that exposes a tool, from what its server says of it. */
const lineFor = (name: string, { annotations }: Definition): string => {
  const tier = tierOf(ToolHints.strip().safeParse(annotations).data, { isTrusted: true });
  const rollback = tier === 'write_high_risk' ? ', rollback: person' : '';
  return `${name}: { tier: ${tier}${rollback} }`;
};

/** Throws `document_invalid` for tools that the server does not have, and for rollbacks that it would refuse. */
const checkListed = (charter: Charter, server: string, listed: ReadonlyMap<string, Definition>): void => {
  const known = [...listed.keys()];
  const issues = Object.entries(charter.terms.tools).flatMap(([name, { rollback }]) => {
    const [of, tool] = partsOf(name);
    if (of !== server) return [];
    const path = ['tools', name];
    const lacks = (which: string): string =>
      `server ${server} has no tool ${shownName(which)}${didYouMean(which, known) || `. It has ${known.join(', ') || 'none'}`}`;
    const write = listed.get(tool);
    if (write === undefined) return [{ path: pointerTo(path), message: lacks(tool) }];
    if (typeof rollback !== 'object') return [];
    const undo = listed.get(rollback.tool);
    return undo === undefined
      ? [{ path: pointerTo([...path, 'rollback', 'tool']), message: lacks(rollback.tool) }]
      : rollbackIssues(rollback, { write, undo }, [...path, 'rollback']);
  });
  if (issues.length > 0) throw charter.fault(issues);
};

/** Returns what binds the tools of a server under the contracts of the file. */
const binderOf = (server: InnerServer, { terms }: Charter, pins: Pins) => {
  const { name } = server;
  const isTrusted = terms.servers[name]?.isTrusted ?? false;
  const named = Object.entries(terms.tools).filter(([one]) => partsOf(one)[0] === name);
  const wanted = named.map(([one]) => partsOf(one)[1]);
  const pinned = new Map(
    Object.entries(pins).flatMap(([one, pin]) =>
      partsOf(one)[0] === name ? [[partsOf(one)[1], pin] as const] : [],
    ),
  );

  /** Binds what the server lists, with these definitions in place of its own; if they are the whole listing, it is not started. */
  const bind = async (listing: ReadonlyMap<string, Definition>, isWhole: boolean) => {
    const omitted: string[] = [];
    const { result, listed } = await server.listing({ definitions: listing, isWhole }, () =>
      mcpTools(server.client, {
        server: name,
        isTrusted,
        keepsContent: true,
        budget: { resultBytes },
        ...(!isTrusted && { only: wanted }),
        contracts: Object.fromEntries(
          named.map(([one, terms]) => [partsOf(one)[1], contractOf(server, one, terms)]),
        ),
        onOmitted: ({ names }) => omitted.push(...names),
      }),
    );
    const definitions = isWhole ? listing : listed;
    const exposed = [...definitions].flatMap(([tool, definition]) => {
      const bound = result.find((one) => one.name === `${name}.${tool}`);
      return bound === undefined ? [] : [{ tool: bound, definition: listing.get(tool) ?? definition }];
    });
    return { exposed, definitions, omitted };
  };

  const accepted = (tools: Iterable<string>): ReadonlyMap<string, Definition> =>
    new Map(
      [...tools].flatMap((tool) => {
        const pin = pinned.get(tool);
        return pin === undefined ? [] : [[tool, pin.definition as Definition] as const]; // as it was listed
      }),
    );

  return { wanted, pinned, bind, accepted };
};

/** Binds the tools of a server as they were accepted, without starting it; none if one that the file names is not known. */
export const bindPinned = async (
  server: InnerServer,
  charter: Charter,
  pins: Pins,
): Promise<readonly Exposed[]> => {
  const { wanted, pinned, bind, accepted } = binderOf(server, charter, pins);
  return wanted.every((tool) => pinned.has(tool)) ? (await bind(accepted(pinned.keys()), true)).exposed : [];
};

/** Lists and binds the tools of a server, those that changed under the definition that was accepted. */
export const bindServer = async (server: InnerServer, charter: Charter, pins: Pins): Promise<BoundServer> => {
  const { name } = server;
  const { pinned, bind, accepted } = binderOf(server, charter, pins);
  try {
    await server.start();
  } catch (error) {
    if (isCharterError(error)) throw error;
    const exposed = await bindPinned(server, charter, pins);
    return { server, exposed, leftOut: [], changed: [], seen: {}, failure: causeOf(error) };
  }
  // a listing without contracts first: it names what the file misspells
  const { listed } = await server.listing({ definitions: new Map(), isWhole: false }, () =>
    mcpTools(server.client, { server: name, only: [] }),
  );
  checkListed(charter, name, listed);
  const first = await bind(new Map(), false);
  const seen = Object.fromEntries(
    first.exposed.map(({ tool, definition }) => [tool.name, { version: tool.version, definition }]),
  );
  const changed = Object.entries(seen).flatMap(([one, { version }]) => {
    const pin = pinned.get(partsOf(one)[1]);
    return pin === undefined || pin.version === version ? [] : [one];
  });
  const { exposed } =
    changed.length === 0 ? first : await bind(accepted(changed.map((one) => partsOf(one)[1])), false);
  const leftOut = [...first.definitions].flatMap(([tool, definition]) => {
    const full = `${name}.${tool}`;
    if (exposed.some((one) => one.tool.name === full)) return [];
    const why = first.omitted.includes(tool)
      ? 'it is write_high_risk and says no rollback'
      : 'it is not under `tools`';
    return [{ name: full, why, line: lineFor(full, definition) }];
  });
  return { server, exposed, leftOut, changed, seen, failure: null };
};

/** Returns how a person accepts the definition of a tool that changed. */
export const acceptWith = ({ file }: Charter, name: string): string =>
  `agentcharter gateway ${file} --accept ${name}, then start the gateway again`;

/** Returns what to do about each tool that changed before its server was started, by its name. */
export const changedIn = (charter: Charter, bound: readonly BoundServer[]): ReadonlyMap<string, string> =>
  new Map(
    bound
      .flatMap(({ changed }) => changed)
      .map((name) => [name, `${name} changed, and is refused until you run: ${acceptWith(charter, name)}`]),
  );
