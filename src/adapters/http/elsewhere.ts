import * as z from 'zod';
import { readJson } from '../../base/boundary/read-json.ts';
import { Address, because, bytesOf } from '../../base/boundary/response.ts';
import { unreadable } from '../../base/canonical/unreadable.ts';
import { Callable, checkDefinition } from '../../base/define/definition.ts';
import { defineVerifier } from '../../base/define/verifier.ts';
import type { Policy, PolicyDecision } from '../../base/ports/policy.ts';
import type { TraceContext } from '../../base/ports/telemetry.ts';
import type { Findings, Verifier } from '../../base/ports/verifier.ts';

/** A service that decides or verifies: `POST` of JSON, answered with status 200 and JSON of at most 1 MiB. */
export interface Elsewhere {
  /** An absolute http or https URL without credentials. Redirects are not followed. */
  readonly url: string;
  /** Further headers, such as `authorization`. They are part of no error and no record. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** A policy that answers elsewhere. It gets a `PolicyRequest` and answers a `PolicyDecision`. */
export interface HttpPolicyOptions extends Elsewhere, Pick<Policy, 'version'> {}

/** A verifier that answers elsewhere. It gets a `VerificationSubject` and answers `Findings`. */
export interface HttpVerifierOptions extends Elsewhere, Omit<Verifier, 'verify'> {}

const elsewhere = {
  url: Address,
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).optional(),
  fetch: Callable.optional(),
};
const PolicyOptions = z.strictObject({ ...elsewhere, version: z.string().optional() });
const VerifierOptions = z.looseObject(elsewhere); // `defineVerifier` reads the others

type Asking = { readonly signal: AbortSignal } & Partial<TraceContext>;

/** Returns a function that asks a service. It throws if there is no answer: no answer allows or passes anything. */
const askerOf = (what: string, { url, headers = {}, fetch: send = fetch }: Elsewhere) => {
  const address = new URL(url);
  const name = `the ${what} at ${address.host}`;
  return async (body: unknown, { signal, traceparent, tracestate }: Asking): Promise<unknown> => {
    const response = await send(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(traceparent !== undefined && { traceparent }),
        ...(tracestate !== undefined && { tracestate }),
        ...headers,
      },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw new Error(`${name} cannot be reached${because(error)}`);
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`${name} answered ${response.status}: expected 200 with JSON`);
    }
    const bytes = await bytesOf(response).catch((error: unknown) => {
      throw new Error(`${name} broke off its answer${because(error)}`);
    });
    if (bytes === null) throw unreadable(`the answer of ${name}`, [], 'it is too large', '1 MiB');
    return readJson(`the answer of ${name}`, bytes);
  };
};

/**
 * Returns a policy that a service answers, in any language. An error of it allows nothing, as of any policy. Throws
 * `definition_invalid`.
 */
export const httpPolicy = (options: HttpPolicyOptions): Policy => {
  checkDefinition('policy', null, PolicyOptions, options);
  const ask = askerOf('policy', options);
  return Object.freeze({
    ...(options.version !== undefined && { version: options.version }),
    decide: async (request, asking) => (await ask(request, asking)) as PolicyDecision, // the engine reads it by its schema
  } satisfies Policy);
};

/** Returns a verifier that a service answers, in any language. An error of it is not a pass. Throws `definition_invalid`. */
export const httpVerifier = (options: HttpVerifierOptions): Verifier => {
  checkDefinition('verifier', options.id, VerifierOptions, options);
  const { url: _url, headers: _headers, fetch: _fetch, ...declared } = options;
  const ask = askerOf('verifier', options);
  return defineVerifier({
    ...declared,
    verify: async (subject, asking) => (await ask(subject, asking)) as Findings, // the engine reads it by its schema
  });
};
