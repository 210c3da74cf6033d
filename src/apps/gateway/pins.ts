import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { JsonObject } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { readJson } from '../../base/boundary/read-json.ts';

/** A definition of a tool that a person accepted, or that was the first one seen. */
const Pin = z.strictObject({ version: z.string(), definition: JsonObject });
export type Pin = z.infer<typeof Pin>;

const Pins = z.record(z.string(), Pin);

/** Enough for the listings of several servers. */
const mostPins = { bytes: 67_108_864, keys: 1_000_000 } as const;

/** The accepted definitions of tools, by `server.tool`. */
export type Pins = Readonly<Record<string, Pin>>;

/** Reads the accepted definitions; none of a file that does not exist yet. Throws `document_invalid`. */
export const readPins = async (file: string): Promise<Pins> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return parseDocument('pins.json', Pins, readJson('pins.json', text, mostPins));
};

/** Writes the accepted definitions. A process that ends meanwhile leaves the old ones. */
export const writePins = async (file: string, pins: Pins): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(pins, null, 2)}\n`);
  await rename(`${file}.new`, file);
};
