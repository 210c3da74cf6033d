import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer, messageIdOf } from '../../../../docs/examples/shortlisting/mail.ts';
import { fileNameOf, openMailServer, startMailServer } from '../../../../docs/examples/shortlisting/smtp.ts';
import type { MailServer } from '../../../../docs/examples/shortlisting/smtp.ts';

const ines = 'ines.moreira@example.org';
const rui = 'rui.tavares@example.net';
const mail = { to: [ines, rui], subject: 'An invitation', text: 'Olá!\n.\nSee you.', idempotencyKey: 'k-1' };

let directory: string;
let server: MailServer;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlisting-'));
  server = await startMailServer({ directory: join(directory, 'sent'), size: 20_000 });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const headersOf = async (name: string): Promise<Record<string, string>> => {
  const [head = ''] = (await readFile(join(server.directory, name), 'utf8')).split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]));
};

/** Sends the mail to a server that refuses the second recipient with this code. */
const refusing = async (responseCode: number) => {
  const strict = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) =>
      done(address === rui ? Object.assign(new Error('Not here'), { responseCode }) : null),
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  const listener = strict.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const receipt = createMailer(`smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`).send(mail);
  return receipt.finally(() => strict.close());
};

describe('A mail through the embedded server', () => {
  it('becomes one file for each recipient, whose headers name no other recipient', async () => {
    const receipt = await createMailer(server.url).send(mail);
    expect(receipt).toEqual({
      messageIds: [messageIdOf('k-1', ines), messageIdOf('k-1', rui)],
      accepted: [ines, rui],
      rejected: [],
    });
    expect(await server.messages()).toEqual(receipt.messageIds.map(fileNameOf).toSorted());
    for (const [at, address] of mail.to.entries()) {
      const name = fileNameOf(receipt.messageIds[at]!);
      expect(await headersOf(name)).toMatchObject({
        From: 'Recruiting <recruiting@shortlisting.example>',
        To: address,
        Subject: 'An invitation',
        'Message-ID': receipt.messageIds[at],
      });
      expect(await readFile(join(server.directory, name), 'utf8')).not.toContain(mail.to[1 - at]);
    }
  });

  it('has one Message-ID for one key, and one file after a repeated send', async () => {
    const mailer = createMailer(server.url);
    const first = await mailer.send(mail);
    const second = await mailer.send(mail);
    expect(second.messageIds).toEqual(first.messageIds);
    expect(await server.messages()).toHaveLength(2);
    const other = await mailer.send({ ...mail, idempotencyKey: 'k-2' });
    expect(new Set([...first.messageIds, ...other.messageIds]).size).toBe(4);
    expect(await server.messages()).toHaveLength(4);
  });

  it('refuses a list inside one address', async () => {
    const { accepted } = await createMailer(server.url)
      .send({ ...mail, to: [`${ines}, ${rui}`] })
      .catch(() => ({ accepted: [] }));
    expect(accepted).not.toContain(rui);
    expect(await server.messages()).toEqual([]);
  });

  it('refuses a message over the size limit, and stores nothing of it', async () => {
    const sent = createMailer(server.url).send({ ...mail, text: 'x'.repeat(30_000) });
    await expect(sent).rejects.toMatchObject({ responseCode: 552 });
    expect(await server.messages()).toEqual([]);
  });
});

describe('The name of a stored message', () => {
  it('stays inside its directory, whatever the Message-ID', () => {
    expect(fileNameOf('<../../etc/passwd@x>')).toBe('__.._etc_passwd@x.eml');
    expect(fileNameOf('<k-1@x>')).toBe('k-1@x.eml');
    expect(fileNameOf(`<${'a'.repeat(500)}@x>`).length).toBeLessThan(255);
  });
});

describe('A Message-ID', () => {
  it('begins with the key, and differs by key and by recipient', () => {
    expect(messageIdOf('k-1', ines)).toMatch(/^<k-1_[0-9a-f]{16}@shortlisting\.example>$/);
    const ids = ['a/b', 'a:b', 'a b\r\nBcc: x'].flatMap((key) => [
      messageIdOf(key, ines),
      messageIdOf(key, rui),
    ]);
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^<[\w-]+@shortlisting\.example>$/);
  });
});

describe('A mailer', () => {
  it('names the recipients that the server refuses permanently', async () => {
    expect(await refusing(550)).toMatchObject({ accepted: [ines], rejected: [rui] });
  });

  it('fails when the server refuses a recipient temporarily', async () => {
    await expect(refusing(451)).rejects.toMatchObject({ responseCode: 451 });
  });

  it('stops on abort, even while the server is silent', async () => {
    await expect(createMailer(server.url).send(mail, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(await server.messages()).toEqual([]);

    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const sent = createMailer(`smtp://127.0.0.1:${port}`).send(mail, AbortSignal.timeout(50));
    await expect(sent).rejects.toThrow(/abort/i);
    silent.close();
  });

  it('fails without a server', async () => {
    await server.close();
    await expect(createMailer(server.url).send(mail)).rejects.toMatchObject({ code: 'ESOCKET' });
    server = await startMailServer({ directory });
  });
});

describe('The mail server of a run', () => {
  it('is the one in the environment, or an embedded one by default', async () => {
    const url = 'smtp://mail.example.com:2525';
    expect(await openMailServer(directory, { SHORTLISTING_SMTP_URL: url })).toMatchObject({ url });
    await expect(openMailServer(directory, { SHORTLISTING_SMTP_URL: 'http://x' })).rejects.toThrow('smtp://');
    const embedded = await openMailServer(directory, {});
    expect(embedded.url).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
    await embedded.close();
  });
});
