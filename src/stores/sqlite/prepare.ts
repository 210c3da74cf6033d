import { pragma, type Connection } from './connection.ts';
import { unusable } from '../shared.ts';

/** The tables of a file, by the migrations that make them, and the id by which SQLite knows what the file is. */
export interface Layout {
  readonly migrations: readonly string[];
  readonly application: number;
}

/**
 * Returns the number of migrations applied to a file. Throws `store_unusable` if the file is not ours, or newer than
 * this version.
 */
const checkLayout = (
  connection: Connection,
  file: string,
  { migrations: { length: newest }, application: ours }: Layout,
): number => {
  const [application, version] = [pragma(connection, 'application_id'), pragma(connection, 'user_version')];
  const isEmpty = connection.rows('SELECT 1 FROM sqlite_schema LIMIT 1').length === 0;
  if (application !== ours && !(application === 0 && version === 0 && isEmpty)) {
    const remedy = 'name a file that agentcharter wrote, an empty one, or one that does not exist';
    throw unusable(file, 'it is the database of another application', remedy);
  }
  const layout = Number(version);
  if (layout <= newest) return layout;
  const remedy = `this version reads layouts up to ${newest}: update agentcharter, or name another file`;
  throw unusable(file, `it has layout ${layout}`, remedy);
};

const migrate = (connection: Connection, file: string, layout: Layout): void => {
  const { migrations, application } = layout;
  connection.transaction('IMMEDIATE', () => {
    // Checked again: another process may have migrated the file meanwhile.
    const applied = checkLayout(connection, file, layout);
    for (const migration of migrations.slice(applied)) connection.script(migration);
    connection.script(`PRAGMA application_id = ${application}; PRAGMA user_version = ${migrations.length}`);
  });
};

/** Prepares a connection for use. It writes nothing to a file that is not ours. */
export const prepare = (connection: Connection, file: string, layout: Layout): void => {
  const applied = checkLayout(connection, file, layout);
  if (pragma(connection, 'journal_mode = WAL') !== 'wal') {
    throw unusable(file, 'it cannot keep a write-ahead log', 'name a file on a local disk');
  }
  // A full sync keeps commits through a power failure; erased data is overwritten.
  connection.script('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
  if (applied < layout.migrations.length) migrate(connection, file, layout);
};
