import { CharterError } from '../errors.ts';

const loaded = async <Peer>(face: string, packages: string, load: () => Promise<Peer>): Promise<Peer> => {
  try {
    return await load();
  } catch (cause) {
    const message = `needs its server: npm install ${packages}`;
    const details = { definition: face, issues: [{ path: '', message }] };
    throw new CharterError('definition_invalid', `${face}: ${message}`, details, { cause });
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
