import * as z from 'zod';
import { Address } from '../../base/boundary/response.ts';
import { Callable, checkDefinition, Schema } from '../../base/define/definition.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Turn } from '../../base/ports/model.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';

/** Options of an OpenAI-compatible model. */
export interface OpenAiCompatibleOptions {
  /**
   * The base URL, such as `https://api.openai.com/v1`. `/chat/completions` is appended. Redirects are not
   * followed.
   */
  readonly url: string;
  /** The bearer token. It is part of no error and no record. */
  readonly key?: string | undefined;
  /** The model's name at the endpoint. */
  readonly model: string;
  /** Returns the system prompt. By default `standardInstructions`. */
  readonly instructions?: (turn: Turn) => string;
  /**
   * The payload schemas by task class: a Standard Schema that provides JSON Schema, or a JSON Schema object.
   */
  readonly outputs?: Readonly<Record<string, StandardSchema | Readonly<Record<string, unknown>>>>;
  /** Additional members of each request, such as `temperature`. A `response_format` here replaces ours. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Additional headers, such as `api-key`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The number of retries after status 408, 429 or 5xx. By default 2, after 1 and 2 seconds or `Retry-After`.
   */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

const wire = z.string('expected a text').regex(/^[\x20-\x7e]*$/, 'expected printable ASCII');

const Options = z.strictObject({
  url: Address,
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

/** Throws `definition_invalid`. The error contains neither the key nor the URL. */
export const checkOptions = (options: OpenAiCompatibleOptions): void => {
  checkDefinition('OpenAI-compatible model', options.model, Options, options);
};
