import type { PolicyAction } from '../ports/policy.ts';
import type { AsRecorded, Payload } from '../ports/schema.ts';
import type { Tool } from '../ports/tool.ts';
import type { DefinedTaskClass } from './task-class.ts';

// What the compiler knows of the tools and task classes that were given. `string` represents names that are known at
// run time only, such as those of MCP tools.

/** Tools, in the order in which they are given. */
export type Tools = readonly Tool[];
/** Task classes, in the order in which they are given. */
export type TaskClasses = readonly DefinedTaskClass[];

/** The names of tools. */
export type ToolName<Given extends Tools> = Given[number]['name'];

/** The arguments of a tool, before its `input` schema. */
export type InputOf<Given extends Tools, Name extends string> = [
  Extract<Given[number], { readonly name: Name }>,
] extends [never]
  ? unknown
  : Extract<Given[number], { readonly name: Name }> extends Tool<string, infer Input>
    ? Input
    : never;

/** The name of a tool with the arguments after its schema, for each tool; of no tools, any. */
export type ActionOf<Given extends Tools> = [Given[number]] extends [never]
  ? PolicyAction
  : ActionOfEach<Given[number]>;

/** The name of a tool with its arguments, for each tool of a union. */
export type ActionOfEach<Any extends Tool> =
  Any extends Tool<infer Name, unknown, infer Arguments>
    ? { readonly action: Name; readonly arguments: AsRecorded<Arguments> }
    : never;

/** The names of task classes. */
export type TaskClassId<Classes extends TaskClasses> = Classes[number]['id'];

/** The names of the tools that the task classes of these names may call. */
export type ToolNameIn<Classes extends TaskClasses, Id extends string> = Extract<
  Classes[number],
  { readonly id: Id }
>['tools'][number];

/** What the task classes of these names deliver. */
export type OutputOf<Classes extends TaskClasses, Id extends string = string> =
  Extract<Classes[number], { readonly id: Id }> extends DefinedTaskClass<
    string,
    readonly string[],
    infer Output
  >
    ? Output
    : never;

/** What agents of the task classes of these names may propose, before the `output` schema; without one, any payload. */
export type ProposalOf<Classes extends TaskClasses, Id extends string = string> =
  Extract<Classes[number], { readonly id: Id }> extends DefinedTaskClass<
    string,
    readonly string[],
    Payload,
    infer Input
  >
    ? [Input] extends [Payload]
      ? Input
      : Payload
    : never;

/** The names in a task class that no tool has. */
export type UnknownToolName<Class, Known extends string> =
  Class extends DefinedTaskClass<string, infer Names>
    ? string extends Names[number]
      ? never
      : Exclude<Names[number], Known>
    : never;

/** The task classes. A text that says what is wrong replaces one that names an unknown tool. */
export type WithKnownTools<Classes extends TaskClasses, Given extends Tools> = {
  readonly [At in keyof Classes]: [UnknownToolName<Classes[At], ToolName<Given>>] extends [never]
    ? Classes[At]
    : `no tool named ${UnknownToolName<Classes[At], ToolName<Given>>} is in \`tools\``;
};
