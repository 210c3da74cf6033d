import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is over. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'agentcharter-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** The name of a database that does not exist yet. */
export const newFile = (): string => join(folder(), 'tasks.db');
