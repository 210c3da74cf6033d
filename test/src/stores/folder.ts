import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder that is deleted when the test ends. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'agentcharter-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** Returns the name of a database that does not exist yet. */
export const newFile = (): string => join(folder(), 'tasks.db');
