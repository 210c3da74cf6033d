import type { AgentExtension } from '@a2a-js/sdk';

/** The URI of our A2A extension, version 1: in agent cards, `A2A-Extensions`, parts and metadata. */
export const upFormatUri = 'urn:agentcharter:upformat:1';

/**
 * Returns the entry for `capabilities.extensions` of an agent card. It declares UpFormat data parts, and one
 * execution for each `messageId` of a user (UpFormat 4).
 */
export const upFormatExtension = (): AgentExtension => ({
  uri: upFormatUri,
  description: 'UpFormat messages and feedback as data parts; each messageId is executed once.',
  required: false,
  params: undefined,
});
