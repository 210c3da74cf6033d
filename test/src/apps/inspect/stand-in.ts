import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));

const require = createRequire(import.meta.url);

/** What the receiver's own file imports for its other transports, none of which a receiver uses. */
const unused = 'export default { configure: () => undefined }; export const stringify = null, uuid = null;';

const imports = {
  xstate: '/xstate/dist/xstate.esm.js',
  'xstate/dev': '/xstate/dev/dist/xstate-dev.esm.js',
  ...Object.fromEntries(
    [
      'fast-safe-stringify',
      'safe-stable-stringify',
      'isomorphic-ws',
      'partysocket',
      'superjson',
      '#uuid',
    ].map((name) => [name, '/unused.js']),
  ),
};

const page = `<!doctype html><title>Stand-in</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
import { createBrowserReceiver } from '/receiver.mjs';
window.received = [];
createBrowserReceiver().subscribe((message) => window.received.push(message));
</script>`;

const connects = `<script>top.postMessage({ type: '@statelyai.connected' }, '*')</script>`;

/** Pages from which the word that the inspector is there must not count: a frame inside it, and one of no origin. */
const pages: Readonly<Record<string, string>> = {
  '/inspect': page,
  '/nested': `<!doctype html><iframe srcdoc="${connects.replaceAll('"', '&quot;')}"></iframe>`,
  '/sandboxed': `<!doctype html>${connects}`,
};

const bodyOf = async (path: string): Promise<string> => {
  if (path === '/unused.js') return unused;
  if (path === '/receiver.mjs') return readFile(require.resolve('@statelyai/inspect'), 'utf8');
  return pages[path] ?? readFile(modules + path.slice(1), 'utf8');
};

/** A page in the place of the hosted inspector: the receiver of `@statelyai/inspect`, served from this machine. */
export const standIn = async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/moved') {
      const { port } = server.address() as AddressInfo;
      response.writeHead(302, { location: `http://localhost:${port}/inspect` }).end();
      return;
    }
    bodyOf(path).then(
      (body) => {
        if (path === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
        response.setHeader('content-type', path in pages ? 'text/html' : 'text/javascript').end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
