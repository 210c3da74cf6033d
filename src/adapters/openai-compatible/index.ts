export { standardInstructions } from './prompt.ts';
export { openAiCompatible } from './model.ts';
export type { OpenAiCompatibleOptions } from './options.ts';
