import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { Step } from '../subject.ts';
import { messageOf } from './scripted.ts';

interface Options extends BaseChatModelCallOptions {
  readonly tools?: readonly object[];
}

/** A model whose provider runs the tools that are of its own, and says in its request what it sends, as those of real providers do. */
export class Hosting extends BaseChatModel<Options> {
  readonly #script: readonly Step[];
  readonly #hosted: () => void;
  readonly #always: object;

  constructor(script: readonly Step[], hosted: () => void, always: object = {}) {
    super({});
    this.#script = script;
    this.#hosted = hosted;
    this.#always = always;
  }

  _llmType(): string {
    return 'hosting';
  }

  override bindTools(tools: readonly object[]) {
    return this.withConfig({
      tools: tools.map((tool) =>
        'schema' in tool && 'name' in tool ? { type: 'function', function: { name: tool.name } } : tool,
      ),
    });
  }

  override invocationParams(options?: this['ParsedCallOptions']): object {
    return { tools: options?.tools, ...this.#always };
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const isHosted = (options.tools ?? []).some((tool) => 'type' in tool && tool.type !== 'function');
    if (isHosted || Object.keys(this.#always).length > 0) this.#hosted();
    const step = this.#script[messages.filter((message) => AIMessage.isInstance(message)).length];
    if (step === undefined) throw new Error('the script is over');
    return { generations: [{ text: '', message: messageOf(step) }] };
  }
}
