import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';

export interface MailServer {
  readonly url: string;
  readonly directory: string;
  /** The names of the stored messages' files, sorted. */
  messages(): Promise<string[]>;
  close(): Promise<void>;
}

/** The name of the file in which the message with this Message-ID is stored. */
export const fileNameOf = (messageId: string): string =>
  `${messageId
    .replace(/^<|>$/g, '')
    .replace(/^\.+|[^\w.@+-]/g, '_')
    .slice(0, 200)}.eml`;

const messageIdIn = (message: Buffer): string | undefined =>
  /^message-id:\s*(<[^<>\s]+>)/im.exec(message.toString('latin1').split('\r\n\r\n', 1)[0] ?? '')?.[1];

/** An SMTP server on 127.0.0.1 that stores each message as a file; a message that is sent again replaces itself. */
export async function startMailServer({
  directory,
  size = 256 * 1024,
}: {
  readonly directory: string;
  /** The largest message it takes, in bytes. */
  readonly size?: number;
}): Promise<MailServer> {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true });

  const store = async (stream: SMTPServerDataStream, { id, transaction }: SMTPServerSession) => {
    const message = await buffer(stream);
    if (stream.sizeExceeded) throw Object.assign(new Error('Message too large'), { responseCode: 552 });
    await writeFile(join(folder, fileNameOf(messageIdIn(message) ?? `${id}.${transaction}`)), message);
  };
  const server = new SMTPServer({
    name: 'localhost',
    size,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onData: (stream, session, done) => void store(stream, session).then(() => done(), done),
  });
  const listener = server.listen(0, '127.0.0.1');
  server.on('error', () => undefined); // a client that hangs up; a failure to listen rejects the next line
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port');

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    directory: folder,
    messages: async () => (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted(),
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** The mail server that SHORTLISTING_SMTP_URL names, or an embedded one that stores into the directory. */
export async function openMailServer(
  directory: string,
  { SHORTLISTING_SMTP_URL: url }: NodeJS.ProcessEnv = process.env,
): Promise<MailServer | { readonly url: string; close(): Promise<void> }> {
  if (!url) return startMailServer({ directory });
  if (!/^smtps?:\/\//.test(url)) throw new Error('SHORTLISTING_SMTP_URL must begin with smtp:// or smtps://');
  return { url, close: () => Promise.resolve() };
}
