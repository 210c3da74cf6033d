import type { Model, ModelRequest, ModelResponse } from '@openai/agents';
import { readableCalls } from './unreadable.ts';

/** The checks of each model turn. */
export interface TurnCheck {
  readonly request: (request: ModelRequest) => void;
  readonly response: (response: Pick<ModelResponse, 'output'>) => void;
}

/** A model whose requests and responses are checked. */
export class GuardedModel implements Model {
  readonly #model: Model;
  readonly #check: TurnCheck;

  constructor(model: Model, check: TurnCheck) {
    this.#model = model;
    this.#check = check;
    Object.freeze(this);
  }

  get supportsPromptModelSelection(): boolean {
    return this.#model.supportsPromptModelSelection ?? false;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.#check.request(request);
    const response = await this.#model.getResponse(request);
    this.#check.response(response);
    return { ...response, output: readableCalls(response.output) };
  }

  async *getStreamedResponse(request: ModelRequest): ReturnType<Model['getStreamedResponse']> {
    this.#check.request(request);
    for await (const event of this.#model.getStreamedResponse(request)) {
      if (event.type !== 'response_done') yield event;
      else {
        this.#check.response(event.response);
        const output = readableCalls(event.response.output);
        yield { ...event, response: { ...event.response, output: output as typeof event.response.output } }; // of the same types
      }
    }
  }

  getRetryAdvice(
    ...given: Parameters<NonNullable<Model['getRetryAdvice']>>
  ): ReturnType<NonNullable<Model['getRetryAdvice']>> {
    return this.#model.getRetryAdvice?.(...given);
  }
}
