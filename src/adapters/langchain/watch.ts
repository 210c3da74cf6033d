import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import type { BaseMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import type { CharterError } from '../../base/errors.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { checkMessage } from './provider-results.ts';
import { checkNodes } from './nodes.ts';
import { makeReadable } from './readable.ts';
import { refusalIn, refusalOf } from './refusal.ts';
import { startedBy } from './request.ts';
import { isStarted } from './started-tools.ts';

const messagesIn = ({ generations }: LLMResult): readonly BaseMessage[] =>
  generations.flat().flatMap(
    (generation) => ('message' in generation ? [generation.message as BaseMessage] : []), // of a chat model
  );

/**
 * The name suffix of the first step of a runnable used as a tool (`asTool`). It starts a chain, not a tool.
 */
const parsing = ':parse_input';

const runnableTool = (runName: unknown): string | null =>
  typeof runName === 'string' && runName.endsWith(parsing) ? runName.slice(0, -parsing.length) : null;

/**
 * Checks each tool and each model before LangChain runs it in a graph.
 *
 * A tool may run only if it is bound, or if the effect ledger calls it. Runs that such a tool starts are not
 * checked.
 */
export class GraphWatch extends BaseCallbackHandler {
  readonly name = 'AgentCharter';
  override readonly raiseError = true;
  override readonly awaitHandlers = true;
  readonly #graph: object;
  readonly #known: ReadonlySet<string>;
  /** The run ids within tools. */
  readonly #within = new Set<string>();
  #refusal: CharterError | null = null;

  constructor(graph: object, providerKeys: readonly string[] = []) {
    super();
    this.#graph = graph;
    this.#known = new Set(providerKeys);
    checkNodes(graph);
  }

  /** The error of a check, even if the graph caught it. */
  get refusal(): CharterError | null {
    return this.#refusal;
  }

  override handleChainStart(
    _: Serialized,
    __: unknown,
    runId: string,
    parent?: string,
    ...given: readonly unknown[]
  ): void {
    if (this.#isWithin(runId, parent)) return;
    if (isStarted(runId)) {
      this.#within.add(runId); // a runnable that was guarded as a tool
      return;
    }
    const tool = runnableTool(given[3]);
    if (tool !== null) this.#refuseTool(tool);
    this.#check(() => checkNodes(this.#graph));
  }

  override handleToolStart(
    _: Serialized,
    __: string,
    runId: string,
    parent?: string,
    ...given: readonly unknown[]
  ): void {
    if (this.#isWithin(runId, parent)) return;
    if (isStarted(runId)) this.#within.add(runId);
    else {
      const [, , name] = given;
      this.#refuseTool(typeof name === 'string' ? name : null);
    }
  }

  override handleToolError(error: unknown): void {
    this.#refusal ??= refusalIn(error);
  }

  override handleChatModelStart(
    _: Serialized,
    __: BaseMessage[][],
    runId: string,
    parent?: string,
    extra: Record<string, unknown> = {},
  ): void {
    if (this.#isWithin(runId, parent)) return;
    this.#check(() => checkNodes(this.#graph));
    if (this.#refusal !== null) throw this.#refusal; // the graph may have passed it to a model as a tool result
    for (const request of [
      extra['invocation_params'],
      isObject(extra['options']) ? extra['options'] : undefined,
    ]) {
      const at = startedBy(request, this.#known);
      if (at !== null)
        this.#refuse(
          refusalOf(
            'model request',
            `/${at}`,
            'may start a provider tool, which bypasses the guard: expected tools of guarded.bind; add a member that starts ' +
              'none to providerKeys of runGraph',
          ),
        );
    }
  }

  override handleLLMEnd(output: LLMResult, runId: string): void {
    if (this.#within.has(runId)) return;
    for (const message of messagesIn(output)) {
      this.#check(() => checkMessage(message));
      makeReadable(message);
    }
  }

  #refuseTool(name: string | null): never {
    const shown = name === null ? 'a tool' : JSON.stringify(name);
    return this.#refuse(
      refusalOf('runGraph', '/tools', `${shown} bypasses the guard: expected a tool of guarded.bind`),
    );
  }

  #refuse(refusal: CharterError): never {
    this.#refusal ??= refusal;
    throw refusal;
  }

  #check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#refusal ??= refusalIn(error);
      throw error;
    }
  }

  #isWithin(runId: string, parent: string | undefined): boolean {
    const isWithin = parent !== undefined && this.#within.has(parent);
    if (isWithin) this.#within.add(runId);
    return isWithin;
  }
}
