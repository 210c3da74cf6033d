import type { Payload, StandardSchema } from '../base/ports/schema.ts';
import type { Tool } from '../base/ports/tool.ts';
import type { BindingContract } from './guard-tool.ts';

type Named<Tools extends readonly object[]> = Extract<Tools[number], { readonly name: string }>;

/** The names that tools of a framework have; any, if their types do not say. */
export type NamesOf<Tools extends readonly object[]> = [Named<Tools>] extends [never]
  ? string
  : Named<Tools>['name'];

/** The arguments of a framework's tool, whose schema is the member `Key`. */
type ArgumentsOf<Foreign, Key extends string> =
  Foreign extends Readonly<Record<Key, StandardSchema<infer Arguments>>> ? Arguments : Payload;

/** Contracts by tool name; each has the arguments of its tool. If the names are not known, any contracts. */
export type Contracts<Tools extends readonly object[], Key extends string> =
  string extends NamesOf<Tools>
    ? Readonly<Record<string, BindingContract<never>>>
    : {
        readonly [Name in NamesOf<Tools>]?: BindingContract<
          ArgumentsOf<Extract<Tools[number], { readonly name: Name }>, Key>
        >;
      };

type GuardedToolOf<Foreign, Key extends string> = Foreign extends { readonly name: infer Name extends string }
  ? Tool<Name, unknown, ArgumentsOf<Foreign, Key>>
  : never;

/** The tools that a framework's tools become: each has its name and its arguments. If the names are not known, any tools. */
export type GuardedToolsOf<Tools extends readonly object[], Key extends string> =
  string extends NamesOf<Tools> ? Tool : GuardedToolOf<Named<Tools>, Key>;
