import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { causeOf, type Issue } from '../../base/errors.ts';
import { shownName } from '../../base/text/foreign-text.ts';
import type { InnerServer } from './inner-server.ts';
import { servedName } from './names.ts';
import type { Charter } from './read-charter.ts';

/** What a server has besides tools, as it lists them. */
export interface Offer {
  readonly server: InnerServer;
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

/** What clients get besides tools: lists, and reads by the names in them. */
export interface PassedOn {
  /** The servers of the file that pass them on. */
  readonly resources: readonly string[];
  readonly prompts: readonly string[];
  readonly list: (what: What, seen: Seen, signal: AbortSignal) => Promise<readonly JsonObject[]>;
  /** Reads a resource where it is listed, else where a template begins as its URI does, else from the only server. */
  readonly read: (uri: string, seen: Seen, signal: AbortSignal) => Promise<JsonObject>;
  readonly prompt: (
    name: string,
    given: Readonly<Record<string, string>>,
    seen: Seen,
    signal: AbortSignal,
  ) => Promise<JsonObject>;
}

export type What = 'resources' | 'templates' | 'prompts';
/** Whether a client sees what a server passes on. */
export type Seen = (server: string) => boolean;

const Entries = z.array(JsonObject);
const Cursor = z.string().optional();

/** The pages of a listing, and the milliseconds that a server has for one when the gateway starts. */
const mostPages = 100;
const listTime = 30_000;

const kinds = {
  resources: { method: 'resources/list', member: 'resources', of: 'resources', key: 'uri' },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    of: 'resources',
    key: 'uriTemplate',
  },
  prompts: { method: 'prompts/list', member: 'prompts', of: 'prompts', key: 'name' },
} as const;

/** Returns what a server lists of a kind: none if it does not have them. Throws for a listing that cannot be read. */
const listOf = async (
  server: InnerServer,
  what: What,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> => {
  const { method, member, of, key } = kinds[what];
  if (!(await server.has(of))) return [];
  const all: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await server.request(method, cursor === undefined ? {} : { cursor }, signal);
    all.push(...Entries.parse(answer[member]).filter((one) => typeof one[key] === 'string'));
    cursor = Cursor.parse(answer['nextCursor']);
    if (cursor === undefined) return all;
  }
  throw new Error(`there are more than ${mostPages} pages`);
};

/** Returns what a server lists of a kind, and none if it fails: the others go on. */
const listOrNone =
  (say: (line: string) => void) =>
  (server: InnerServer, what: What, signal: AbortSignal): Promise<readonly JsonObject[]> =>
    listOf(server, what, signal).catch((error: unknown) => {
      say(`${server.name}: its ${what} cannot be listed: ${causeOf(error)}`);
      return [];
    });

/** Returns what servers have besides tools, of those that run. */
export const offersOf = (
  servers: readonly InnerServer[],
  say: (line: string) => void,
): Promise<readonly Offer[]> => {
  const signal = AbortSignal.timeout(listTime);
  const list = listOrNone(say);
  return Promise.all(
    servers.map(async (server) => {
      const [resources, templates, prompts] = await Promise.all([
        list(server, 'resources', signal),
        list(server, 'templates', signal),
        list(server, 'prompts', signal),
      ]);
      return { server, resources, templates, prompts };
    }),
  );
};

/** Returns the name of something in a list of its server. */
export const keyOf = (what: What, one: JsonObject): string => String(one[kinds[what].key]);

const promptName = (server: string, one: JsonObject): string =>
  servedName(`${server}.${keyOf('prompts', one)}`);

/** Throws `document_invalid` for a resource or prompt that clients could not tell from another one. */
export const checkClashes = ({ terms, fault }: Charter, offers: readonly Offer[]): void => {
  const owners = new Map<string, string>();
  const issues: Issue[] = [];
  const claim = (of: 'resources' | 'prompts', server: string, name: string): void => {
    const other = owners.get(`${of} ${name}`);
    owners.set(`${of} ${name}`, other ?? server);
    if (other === undefined) return;
    const message = `server ${server} lists ${shownName(name)}, which ${other === server ? 'it lists twice' : `server ${other} lists too`}: pass on the ${of} of other servers only`;
    issues.push({ path: pointerTo(['servers', server, of]), message });
  };
  for (const { server, resources, templates, prompts } of offers) {
    const { name } = server;
    if (terms.servers[name]?.resources === true) {
      for (const one of resources) claim('resources', name, keyOf('resources', one));
      for (const one of templates) claim('resources', name, keyOf('templates', one));
    }
    if (terms.servers[name]?.prompts === true)
      for (const one of prompts) claim('prompts', name, promptName(name, one));
  }
  if (issues.length > 0) throw fault(issues);
};

/** Returns the part of a URI template before its first variable. */
const beginningOf = (template: string): string => template.split('{', 1)[0] ?? '';

/** Returns what the servers of a file pass on. What two servers list later is of the first one in the file. */
export const passedOn = (
  { terms }: Charter,
  servers: readonly InnerServer[],
  say: (line: string) => void,
): PassedOn => {
  const list = listOrNone(say);
  const passing = (of: 'resources' | 'prompts') => servers.filter(({ name }) => terms.servers[name]?.[of]);

  /** Lists what servers have of a kind. The others go on if one fails. */
  const listed = async (what: What, seen: Seen, signal: AbortSignal) => {
    const lists = await Promise.all(
      passing(kinds[what].of)
        .filter(({ name }) => seen(name))
        .map(async (server) => (await list(server, what, signal)).map((one) => ({ server, one }))),
    );
    return lists.flat();
  };

  const ownerOf = async (uri: string, seen: Seen, signal: AbortSignal): Promise<InnerServer | undefined> => {
    const [only, ...others] = passing('resources').filter(({ name }) => seen(name));
    if (others.length === 0) return only;
    const named = await listed('resources', seen, signal);
    const owner = named.find(({ one }) => keyOf('resources', one) === uri);
    if (owner !== undefined) return owner.server;
    const begun = (await listed('templates', seen, signal))
      .map(({ server, one }) => ({ server, beginning: beginningOf(keyOf('templates', one)) }))
      .filter(({ beginning }) => beginning !== '' && uri.startsWith(beginning))
      .toSorted((one, other) => other.beginning.length - one.beginning.length);
    return begun[0]?.server;
  };

  return {
    resources: passing('resources').map(({ name }) => name),
    prompts: passing('prompts').map(({ name }) => name),
    list: async (what, seen, signal) =>
      (await listed(what, seen, signal)).map(({ server, one }) =>
        what === 'prompts' ? { ...one, name: promptName(server.name, one) } : one,
      ),
    read: async (uri, seen, signal) => {
      const owner = await ownerOf(uri, seen, signal);
      if (owner === undefined) throw new Error(`no server lists the resource ${shownName(uri)}`);
      return owner.request('resources/read', { uri }, signal);
    },
    prompt: async (name, given, seen, signal) => {
      const found = (await listed('prompts', seen, signal)).find(
        ({ server, one }) => promptName(server.name, one) === name,
      );
      if (found === undefined) throw new Error(`there is no prompt ${shownName(name)}`);
      const params = { name: keyOf('prompts', found.one), arguments: given };
      return found.server.request('prompts/get', params, signal);
    },
  };
};
