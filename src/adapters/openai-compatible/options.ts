import * as z from 'zod';
import { Callable, checkDefinition, Schema } from '../../define/definition.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Turn } from '../../ports/model.ts';
import type { StandardSchema } from '../../ports/schema.ts';

/** Where a model answers, and how it is asked. */
export interface OpenAiCompatibleOptions {
  /** The base, such as `https://api.openai.com/v1`: `/chat/completions` comes behind its path. A redirect is not followed. */
  readonly url: string;
  /** Sent as a bearer token, and nowhere else: it stands in no error and in no record. */
  readonly key?: string | undefined;
  /** Its name there. */
  readonly model: string;
  /** Replaces `standardInstructions`. */
  readonly instructions?: (turn: Turn) => string;
  /** By task class, what its payload looks like: a Standard Schema that prints JSON Schema, or a JSON Schema object. */
  readonly outputs?: Readonly<Record<string, StandardSchema | Readonly<Record<string, unknown>>>>;
  /** Further members of each request, such as `temperature`; a `response_format` here is sent instead of ours. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Further headers, such as an `api-key`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a turn that was answered with 408, 429 or 5xx is asked again; 2 where left out, after 1 and 2 seconds or `Retry-After`. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

const isAddress = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
};

const wire = z.string('expected a text').regex(/^[\x20-\x7e]*$/, 'expected printable ASCII');

const Options = z.strictObject({
  url: z.string().refine(isAddress, 'expected an absolute http or https URL without credentials'),
  key: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected printable ASCII without spaces')
    .optional(),
  model: z.string().min(1),
  instructions: Callable.optional(),
  outputs: z.record(z.string(), z.union([Schema, z.record(z.string(), z.unknown())])).optional(),
  body: z.record(z.string(), z.json().optional()).optional(),
  headers: z.record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), wire).optional(),
  retries: z.int().min(0).max(10).optional(),
  fetch: Callable.optional(),
  clock: z.object({ now: Callable, wakeAt: Callable, monotonic: Callable.optional() }).optional(),
});

/** Throws `definition_invalid`, which holds neither the key nor the address. */
export const checkOptions = (options: OpenAiCompatibleOptions): void => {
  checkDefinition('OpenAI-compatible model', options.model, Options, options);
};
