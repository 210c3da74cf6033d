import type * as Yaml from 'yaml';
import { definitionError } from '../../base/boundary/definition-error.ts';

const needed =
  'needs its packages: npm install @modelcontextprotocol/client @modelcontextprotocol/server libsql hono @hono/node-server yaml';

/** Loads a package of the gateway. Throws `definition_invalid` with the command that installs all of them. */
const loaded = async <Peer>(load: () => Promise<Peer>): Promise<Peer> => {
  try {
    return await load();
  } catch (cause) {
    throw definitionError('gateway', [{ path: '', message: needed }], { cause });
  }
};

export const loadYaml = (): Promise<typeof Yaml> => loaded(() => import('yaml'));
export const loadClient = () => loaded(() => import('@modelcontextprotocol/client'));
export const loadClientStdio = () => loaded(() => import('@modelcontextprotocol/client/stdio'));
export const loadServer = () => loaded(() => import('@modelcontextprotocol/server'));
export const loadServerStdio = () => loaded(() => import('@modelcontextprotocol/server/stdio'));
