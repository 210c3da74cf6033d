import type { AgentExtension } from '@a2a-js/sdk';

/** Names our extension of A2A, version 1: in agent cards, in `A2A-Extensions`, on parts and as the key of metadata. */
export const upFormatUri = 'urn:agentcharter:upformat:1';

/**
 * What an agent card declares under `capabilities.extensions`: each message carries UpFormat data parts, and a message is
 * taken once, however often it is sent under one `messageId` by one user (UpFormat 4).
 */
export const upFormatExtension = (): AgentExtension => ({
  uri: upFormatUri,
  description: 'UpFormat messages and feedback as data parts; a message of one messageId is taken once.',
  required: false,
  params: undefined,
});
