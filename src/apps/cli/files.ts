import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { readJson } from '../../base/boundary/read-json.ts';
import { causeOf } from '../../base/errors.ts';
import { usage } from './stop.ts';
import type { Terminal } from './terminal.ts';

const reading = async <Result>(file: string, read: () => Promise<Result>): Promise<Result> => {
  try {
    return await read();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw usage(`${file}: ${isMissing ? 'there is no such file' : causeOf(error)}`, { cause: error });
  }
};

/** The maximum size of a document. */
const mostBytes = 16_777_216;

const all = async (stream: Readable, file: string): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > mostBytes) throw usage(`${file}: expected at most ${mostBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
};

/** Returns the bytes of a file; `-` is the standard input. */
export const bytesOf = async (file: string, { stdin, path }: Terminal): Promise<Uint8Array> => {
  if (file === '-') return all(stdin, 'standard input');
  const place = path(file);
  return reading(file, () => readFile(place));
};

/** Returns the trimmed text of a file; `-` is the standard input. */
export const textOf = async (file: string, terminal: Terminal): Promise<string> =>
  new TextDecoder().decode(await bytesOf(file, terminal)).trim();

/**
 * Returns the JSON value of a file; `-` is the standard input. Throws `input_unreadable` for ambiguous JSON.
 */
export const jsonOf = async (file: string, terminal: Terminal): Promise<unknown> =>
  readJson(file === '-' ? 'standard input' : file, await bytesOf(file, terminal));

/** Yields the lines of a file; `-` is the standard input. A line beyond the limit is not kept in memory. */
export async function* linesIn(file: string, { stdin, path }: Terminal): AsyncGenerator<Uint8Array> {
  const stream = file === '-' ? stdin : createReadStream(path(file));
  let rest: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer): void => {
    size += part.length;
    if (size > mostBytes + 1) throw usage(`${file}: expected lines of at most ${mostBytes} bytes`);
    rest.push(part);
  };
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array | string>; // a stream yields bytes or text
  try {
    for (;;) {
      const { value, done } = await reading(file, () => chunks.next());
      if (done === true) break;
      let chunk = Buffer.from(value);
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a)) {
        take(chunk.subarray(0, end));
        yield Buffer.concat(rest);
        [rest, size] = [[], 0];
        chunk = chunk.subarray(end + 1);
      }
      take(chunk);
    }
  } finally {
    stream.destroy();
  }
  if (size > 0) yield Buffer.concat(rest);
}
