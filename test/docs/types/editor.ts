import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { compilerEnv, tsc } from '../../compiler.ts';

// The language server of TypeScript, as an editor uses it (Language Server Protocol 3.17).

/** What an editor shows of a file. */
export interface Editor {
  /** Returns what is offered at the end of this text. */
  readonly offers: (text: string) => Promise<readonly string[]>;
  /** Returns what is shown over the beginning of this text. */
  readonly shows: (text: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Offered {
  readonly items: readonly { readonly label: string }[];
}

interface Shown {
  readonly contents: { readonly value: string };
}

/** Opens a new file in a folder. */
export const openEditor = async (folder: string, text: string): Promise<Editor> => {
  const server = spawn(tsc, ['--lsp', '--stdio'], {
    cwd: folder,
    env: compilerEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onRequest(() => null); // it asks for settings
  connection.listen();
  const uri = pathToFileURL(join(folder, 'edited.ts')).href;
  const placeOf = (found: string, offset: number) => {
    const at = text.indexOf(found);
    if (at === -1) throw new Error(`the file has no ${found}`);
    const lines = text.slice(0, at + offset).split('\n');
    return { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1)?.length } };
  };
  const rootUri = pathToFileURL(folder).href;
  await connection.sendRequest('initialize', { processId: null, rootUri, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const opened = { uri, languageId: 'typescript', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument: opened });
  return {
    offers: async (found) => {
      const place = placeOf(found, found.length);
      const { items } = await connection.sendRequest<Offered>('textDocument/completion', place);
      return items.map(({ label }) => label);
    },
    shows: async (found) =>
      (await connection.sendRequest<Shown>('textDocument/hover', placeOf(found, 0))).contents.value,
    close: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      connection.dispose();
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
};
