import { definitionError } from '../../base/boundary/definition-error.ts';

const loaded = async <Peer>(face: string, packages: string, load: () => Promise<Peer>): Promise<Peer> => {
  try {
    return await load();
  } catch (cause) {
    const message = `needs its server: npm install ${packages}`;
    throw definitionError(face, [{ path: '', message }], { cause });
  }
};

/**
 * Loads the router. `face` names its user in the error. Rejects with `definition_invalid` if the peer is
 * missing.
 */
export const loadHono = (face: string) => loaded(face, 'hono', () => import('hono'));

/** Loads the Node adapter. Rejects as `loadHono` does. */
export const loadNode = (face: string) =>
  loaded(face, 'hono @hono/node-server', () => import('@hono/node-server'));
