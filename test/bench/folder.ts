import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the files of the stores are written; the disk under it is part of what is measured. */
const place = process.env['BENCH_FOLDER'] ?? tmpdir();

/** Passes a new folder to `work`, and removes the folder at the end. */
export const inFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(place, 'agentcharter-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
