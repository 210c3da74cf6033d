import { jose } from '../../base/boundary/jose.ts';
import { isSameSecret } from '../../base/boundary/secret.ts';
import { causeOf } from '../../base/errors.ts';
import { json, problem } from '../../optional/server/problem.ts';
import { withVariables, type Charter, type Variables } from './read-charter.ts';

/** A client of HTTP, with what it shows: its own token, or a token of the issuer for its subject; `null` for none. */
export interface Entrance {
  readonly name: string;
  readonly token: string | null;
  readonly subject: string | null;
}

/** Throws `document_invalid` for a subject that admits no one, or that two clients have. */
const checkSubjects = ({ terms: { clients, authorization }, fault }: Charter): void => {
  const subjects = new Set<string>();
  for (const [at, { subject }] of clients.entries()) {
    if (subject === undefined) continue;
    const path = `/clients/${at}/subject`;
    if (authorization === undefined)
      throw fault([{ path, message: 'needs `authorization`: { issuer, jwks, audience } of the file' }]);
    if (subjects.has(subject)) throw fault([{ path, message: 'is the subject of another client too' }]);
    subjects.add(subject);
  }
};

/** Returns the clients of HTTP. Throws `document_invalid` for a file without, with what to add. */
export const entrancesOf = (charter: Charter, variables: Variables): readonly Entrance[] => {
  const { clients } = charter.terms;
  if (clients.length === 0) {
    const line = 'clients: [{ name: desk, token: "${DESK_TOKEN}" }]';
    throw charter.fault([
      { path: '/clients', message: `--http needs clients, each with a token. Add ${line}` },
    ]);
  }
  checkSubjects(charter);
  const values = new Set<string>();
  return clients.map(({ name, token, subject = null }, at) => {
    if (token === undefined && subject !== null) return { name, token: null, subject };
    if (token === undefined)
      throw charter.fault([
        { path: `/clients/${at}`, message: `--http needs a token of ${name}. Add token: "\${NAME}"` },
      ]);
    const value = withVariables(token, variables, charter, ['clients', String(at), 'token']);
    if (!/^[\w.~+/-]{16,}=*$/.test(value))
      throw charter.fault([
        { path: `/clients/${at}/token`, message: 'must have 16 or more letters, digits and -._~+/' },
      ]);
    if (values.has(value))
      throw charter.fault([{ path: `/clients/${at}/token`, message: 'is the token of another client too' }]);
    values.add(value);
    return { name, token: value, subject };
  });
};

type Terms = NonNullable<Charter['terms']['authorization']>;

/** What is wrong with a token itself, and not with the keys of its issuer. */
const isOfToken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^ERR_(?:JWT_|JWS_|JWKS_(?:NO|MULTIPLE)_MATCHING|JOSE_ALG|JOSE_NOT_SUPPORTED)/.test(error.code);

/** Returns a function that verifies tokens of an issuer (RFC 9068). It returns the subject, `null` for a token that is not good, and throws if the keys cannot be read. */
const verifierOf = async ({ issuer, jwks, audience, claim }: Terms) => {
  const { createRemoteJWKSet, jwtVerify } = await jose();
  const keys = createRemoteJWKSet(new URL(jwks));
  return async (token: string): Promise<string | null> => {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, requiredClaims: ['exp', claim] });
      const { [claim]: subject } = payload;
      return typeof subject === 'string' ? subject : null;
    } catch (error) {
      if (isOfToken(error)) return null;
      throw error;
    }
  };
};

/** Where clients learn of the issuer (RFC 9728): with the path of the gateway, and without. */
const metadataPath = '/.well-known/oauth-protected-resource';
export const metadataPaths = [`${metadataPath}/mcp`, metadataPath] as const;

/** Admits requests. */
export interface Door {
  /** Returns the client of a request, or why there is none. */
  readonly admit: (request: Request) => Promise<string | Response>;
  /** Describes the gateway as a protected resource (RFC 9728); `null` without an issuer. */
  readonly metadata: ((request: Request) => Response) | null;
}

const bearer = /^bearer +(\S+) *$/i;

/** Returns the door of the clients of a file. */
export const doorOf = async (
  { terms: { authorization } }: Charter,
  entrances: readonly Entrance[],
  say: (line: string) => void,
): Promise<Door> => {
  const subjectOf = authorization === undefined ? null : await verifierOf(authorization);

  const unauthenticated = (request: Request, detail: string, error = ''): Response => {
    const where = new URL(metadataPaths[0], request.url).href;
    const challenge = authorization === undefined ? 'Bearer' : `Bearer resource_metadata="${where}"${error}`;
    return problem('unauthenticated', detail, {}, { 'www-authenticate': challenge });
  };

  return {
    admit: async (request) => {
      const [, given] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
      if (given === undefined)
        return unauthenticated(request, 'Expected the token of a client as Authorization: Bearer.');
      const own = entrances.find(({ token }) => token !== null && isSameSecret(token, given));
      if (own !== undefined) return own.name;
      if (subjectOf === null)
        return unauthenticated(request, 'Expected the token of a client as Authorization: Bearer.');
      try {
        const subject = await subjectOf(given);
        if (subject === null)
          return unauthenticated(request, 'This token is not valid here.', ', error="invalid_token"');
        const client = entrances.find((one) => one.subject === subject);
        return client?.name ?? problem('identity_refused', 'No client of the file has this subject.');
      } catch (error) {
        say(`the keys of the issuer cannot be read: ${causeOf(error)}`);
        return problem('broken', 'The keys of the issuer cannot be read.');
      }
    },
    metadata:
      authorization === undefined
        ? null
        : (request) =>
            json({
              resource: new URL('/mcp', request.url).href,
              authorization_servers: [authorization.issuer],
              bearer_methods_supported: ['header'],
            }),
  };
};
