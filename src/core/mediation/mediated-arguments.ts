import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, UpContext } from '../../../schema/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { jsonSchemaOf } from '../../base/define/json-schema-of.ts';
import { validated } from '../../base/define/validated.ts';
import { isCharterError } from '../../base/errors.ts';
import type { StandardSchema } from '../../base/ports/schema.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { currentEvidence } from '../kernel/view.ts';
import type { MappedArguments, UnclearArguments } from '../kernel/words.ts';
import type { Mediate } from '../shell/read-arguments.ts';
import { loadMediation } from '../shell/semantics.ts';
import type { LiveTask } from '../shell/live-task.ts';

type Members = Readonly<Record<string, unknown>>;

/** A form in which a model may pass data on: an output of a tool or an agent, or a received message. */
interface Source {
  readonly name: string;
  /** The schema of the form, or the context that came with the message. */
  readonly means: StandardSchema | UpContext;
  readonly has: (value: Members) => Promise<boolean>;
}

type Semantics = Awaited<ReturnType<typeof loadMediation>>;
type Mediation = ReturnType<Semantics['mediate']>;
type Choices = NonNullable<NonNullable<Parameters<Semantics['mediate']>[2]>['choices']>;

/** The most mappings that a person is offered. */
const mostAlternatives = 20;

const isSchema = (means: Source['means']): means is StandardSchema => '~standard' in means;

const fits = (schema: StandardSchema) => async (value: Members) =>
  (await validated(schema, value)).issues === undefined;

/** Whether one of the payloads has exactly these members, beside others. */
const isIn = (value: Members, payloads: readonly unknown[]): boolean =>
  payloads.some(
    (payload) =>
      isObject(payload) &&
      Object.entries(value).every(
        ([name, member]) => Object.hasOwn(payload, name) && isDeepStrictEqual(payload[name], member),
      ),
  );

/** The longest context of a received message that is compared, in characters: words are compared in pairs. */
const longestContext = 32_768;

/** Returns the forms of a task's data that have a known meaning: declared outputs, and received messages. */
const sourcesOf = (task: LiveTask, { tools, taskClassOf }: Parameters<Mediate>[1]): readonly Source[] => {
  const { taskClass, view } = task;
  const evidence = currentEvidence(view.context, view.projection);
  const outputs = view.allowed.flatMap((name) => {
    const tool = tools.get(name);
    const output = tool?.child === undefined ? tool?.output : taskClassOf(tool.child.taskClass).output;
    if (output === undefined) return [];
    const returned = evidence.flatMap(({ source, payload }) => (source === name ? [payload] : []));
    const form = `data in the form of the output of ${name}, which ${name} did not return`;
    return [
      { name: `the output of ${name}`, means: output, has: async (value: Members) => isIn(value, returned) },
      {
        name: form,
        means: output,
        has: async (value: Members) => !isIn(value, returned) && (await fits(output)(value)),
      },
    ];
  });
  const { id, output } = taskClass;
  const own = output && {
    name: `data in the form of the output of task class ${id}`,
    means: output,
    has: fits(output),
  };
  const messages = view.projection.thread.flatMap(({ messageId, agentId = '', payload, upContext }) =>
    upContext === undefined ||
    JSON.stringify(upContext).length > longestContext ||
    view.projection.messages.some((one) => one.messageId === messageId)
      ? []
      : [
          {
            name: `message ${messageId} of ${agentId}`,
            means: upContext,
            has: async (value: Members) => isDeepStrictEqual(value, payload),
          },
        ],
  );
  return [...outputs, ...(own ? [own] : []), ...messages];
};

/** Returns a schema of the members that are not given yet. */
const lackingOf = (schema: JsonObject, given: Members): JsonObject => {
  const { properties, required = [] } = schema;
  const isLacking = (name: string): boolean => !Object.hasOwn(given, name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => isLacking(name))),
    required: Array.isArray(required) ? required.filter((name) => isLacking(String(name))) : [],
  };
};

/** Returns every way to answer the open choices of a mediation, the most likely first. */
const answersTo = ({ choices }: Mediation): readonly Choices[] => {
  let answers: readonly Choices[] = [{}];
  for (const { to, alternatives, only, isRequired } of choices) {
    if (!isRequired) continue;
    const chosen = [
      ...alternatives.map(({ from }) => from),
      ...(only === undefined ? [] : [{ value: only }]),
    ];
    answers = answers
      .flatMap((answer) => chosen.map((choice) => ({ ...answer, [to]: choice })))
      .slice(0, mostAlternatives);
  }
  return answers;
};

/** Maps the part of a call's arguments that its tool does not know. */
class Mediator {
  readonly #semantics: Semantics;
  readonly #tool: Tool;
  readonly #own: Members;
  readonly #foreign: Members;
  readonly #target: UpContext;

  constructor(semantics: Semantics, tool: Tool, schema: JsonObject, given: Members) {
    const isOwn = (name: string): boolean => Object.hasOwn(schema['properties'] ?? {}, name);
    const members = Object.entries(given);
    this.#semantics = semantics;
    this.#tool = tool;
    this.#own = Object.fromEntries(members.filter(([name]) => isOwn(name)));
    this.#foreign = Object.fromEntries(members.filter(([name]) => !isOwn(name)));
    this.#target = semantics.deriveContext(lackingOf(schema, this.#own));
  }

  /** Returns the sources that the foreign part is one of. */
  async among(sources: readonly Source[]): Promise<readonly Source[]> {
    if (Object.keys(this.#foreign).length === 0) return [];
    const found = await Promise.all(sources.map((source) => source.has(this.#foreign)));
    return sources.filter((_, at) => found[at] === true);
  }

  mediate({ means }: Source, choices: Choices = {}): Mediation {
    const { mediate, deriveContext } = this.#semantics;
    return mediate(isSchema(means) ? deriveContext(means) : means, this.#target, { choices });
  }

  /** Returns the arguments by a mapping, if the mediation found one and the tool accepts them. */
  async apply({ name }: Source, mediation: Mediation): Promise<readonly MappedArguments[]> {
    if (mediation.outcome !== 'mapping') return [];
    const { mapping } = mediation;
    try {
      const mapped = { ...this.#own, ...this.#semantics.applyMapping(mapping, this.#foreign) };
      if (!(await fits(this.#tool.input)(mapped))) return [];
      return [
        { arguments: mapped, mapping: { from: name, links: mapping.links, constants: mapping.constants } },
      ];
    } catch (error) {
      if (isCharterError(error, 'document_invalid')) return []; // the payload lacks a mapped value
      throw error;
    }
  }

  /** Returns the arguments by every answer to the open choices. */
  async applyEach(source: Source, mediation: Mediation): Promise<readonly MappedArguments[]> {
    const made = await Promise.all(
      answersTo(mediation).map((choices) => this.apply(source, this.mediate(source, choices))),
    );
    return distinct(made.flat());
  }
}

const distinct = (all: readonly MappedArguments[]): readonly MappedArguments[] =>
  all.filter((one, at) => all.findIndex((other) => isDeepStrictEqual(other.arguments, one.arguments)) === at);

const mediatedBy = async (
  mediator: Mediator,
  sources: readonly Source[],
  tool: string,
): Promise<MappedArguments | UnclearArguments | null> => {
  const known = await mediator.among(sources);
  const mediations = known.map((source) => ({ source, mediation: mediator.mediate(source) }));
  const safe = await Promise.all(
    mediations.map(({ source, mediation }) => mediator.apply(source, mediation)),
  );
  const [mapped, ...others] = distinct(safe.flat());
  if (mapped !== undefined && others.length === 0) return mapped;
  if (mapped !== undefined)
    return {
      tool,
      from: [mapped, ...others].map(({ mapping }) => mapping.from).join(' or '),
      questions: [`What was passed on to ${tool}?`],
      alternatives: [mapped, ...others],
    };
  const unclear = mediations.find(({ mediation }) => mediation.outcome === 'ambiguous');
  if (unclear === undefined) return null;
  const { source, mediation } = unclear;
  const alternatives = await mediator.applyEach(source, mediation);
  return { tool, from: source.name, questions: mediation.upThought.questions ?? [], alternatives };
};

/**
 * Maps arguments that their tool refuses, if the model passed an output or a message on as it was (UpFormat 3.2):
 * by the contexts of both, before the action has a digest. Values are moved and converted, and never made up.
 *
 * Returns `null` if the arguments are of no known form, or nothing maps to what the tool requires: the model then
 * corrects them. An agent of a framework is never interrupted: what is unclear, it corrects.
 */
export const mediatedArguments: Mediate = async (task, ports, tool, given) => {
  if (!isObject(given)) return null;
  const sources = sourcesOf(task, ports);
  if (sources.length === 0) return null;
  try {
    const schema = jsonSchemaOf(tool.input, 'input', true);
    const mediator = new Mediator(await loadMediation(), tool, schema, given);
    const mediated = await mediatedBy(mediator, sources, tool.name);
    return mediated !== null && 'questions' in mediated && ports.model.isElsewhere === true ? null : mediated;
  } catch (error) {
    // a schema that prints no JSON Schema has no context; without the index of words nothing is compared
    if (isCharterError(error, 'definition_invalid') || isCharterError(error, 'document_invalid')) return null;
    throw error;
  }
};
