import { causeOf, CharterError } from '../../base/errors.ts';
import { unusable } from '../shared.ts';

/** Returns the error for a store that another process uses. */
export const inUse = (store: string): CharterError<'store_owned'> => {
  const message = `${store}: another process listens for its changes; stop all that use the store, and repeat`;
  return new CharterError('store_owned', message, { store });
};

const tryAgain = 'try again when it is back; a step that was under way may have been written';

/** The reason and remedy for each SQLSTATE, or class of them, that has its own. */
const troubles: readonly (readonly [code: RegExp, reason: string, remedy: string])[] = [
  [/^28/, 'the login was refused', 'correct the user and password of the connection string'],
  [/^3D000$/, 'its database does not exist', 'create it, or name another in the connection string'],
  [
    /^42501$/,
    'its role may not do this',
    'grant it USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on all its tables',
  ],
  [/^42(P01|883|703)$/, 'its schema was changed or removed', 'restore a backup, or name another schema'],
  [
    /^25006$/,
    'it is read-only',
    'connect to the primary server: add target_session_attrs=read-write, or use its address',
  ],
  [
    /^AC003$/,
    'it answers before a commit is on the disk (synchronous_commit is off)',
    'ALTER ROLE … SET synchronous_commit = on',
  ],
  [/^53100$/, 'the disk of the server is full', 'free some space, then try again'],
  [/^53/, 'the server has no free resources', 'raise its limits, or lower `max` of the pool'],
  [/^57P01$/, 'the server ended the connection: it shuts down, or someone ended the session', tryAgain],
  [/^57P0[23]$/, 'the server is starting or shutting down', tryAgain],
  [/^08|^57P|^58/, 'the connection failed', tryAgain],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH|ENOENT)/,
    'it cannot be reached',
    `start it, or correct host and port of the connection string; or ${tryAgain}`,
  ],
  [/^(ECONN|EPIPE|ETIMEDOUT)/, 'it cannot be reached', tryAgain],
];

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns whether a transaction was rolled back for the sake of another, and may be repeated. */
export const isTransient = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error));

/** Returns whether the error has this SQLSTATE. */
export const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code;

/** Converts an error of the driver to `store_unusable`, with its code. Returns an error of ours as it is. */
export const troubleOf = (store: string, error: unknown): unknown => {
  if (error instanceof CharterError || error instanceof TypeError) return error;
  const code = codeOf(error);
  const [, reason, remedy] = troubles.find(([pattern]) => pattern.test(code)) ?? [
    null,
    causeOf(error),
    tryAgain,
  ];
  return unusable(store, code === '' ? reason : `${reason} (${code})`, remedy, { cause: error });
};
