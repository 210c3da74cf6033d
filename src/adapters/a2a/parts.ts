import { Role, type Artifact, type Message, type Part } from '@a2a-js/sdk';
import { upFormatUri } from './extension.ts';

/** The documents that a marked data part can hold. */
export type Marked = 'UpFormatMessage' | 'UpFeedback';

/** Returns a text part. */
export const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
});

/** Returns a data part, marked if it holds an UpFormat document. */
export const dataPart = (value: unknown, marked?: Marked): Part => ({
  content: { $case: 'data', value },
  metadata: marked && { [upFormatUri]: marked },
  filename: '',
  mediaType: 'application/json',
});

/** Returns an A2A message with our extension. */
export const a2aMessage = (
  given: Pick<Message, 'messageId' | 'parts'> & Partial<Message>,
  role: Role = Role.ROLE_AGENT,
): Message => ({
  contextId: '',
  taskId: '',
  role,
  metadata: undefined,
  extensions: [upFormatUri],
  referenceTaskIds: [],
  ...given,
});

export const artifactOf = (artifactId: string, value: unknown): Artifact => ({
  artifactId,
  name: 'result',
  description: '',
  parts: [dataPart(value)],
  metadata: undefined,
  extensions: [],
});

/** The content of received parts, not yet validated. */
export interface PartContent {
  readonly texts: readonly string[];
  readonly plain: readonly unknown[];
  readonly files: number;
  readonly marked: (name: Marked) => readonly unknown[];
}

const dataIn = (part: Part): readonly { readonly value: unknown; readonly mark: unknown }[] => {
  const { content } = part;
  const mark: unknown = part.metadata?.[upFormatUri];
  return content?.$case === 'data' ? [{ value: content.value, mark }] : [];
};

export const contentOf = (parts: readonly Part[]): PartContent => {
  const data = parts.flatMap(dataIn);
  return {
    texts: parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])),
    plain: data.filter(({ mark }) => mark === undefined).map(({ value }) => value),
    files: parts.filter(({ content }) => content?.$case === 'raw' || content?.$case === 'url').length,
    marked: (name) => data.filter(({ mark }) => mark === name).map(({ value }) => value),
  };
};
