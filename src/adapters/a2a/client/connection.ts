import { Role, type Message, type Part, type Task } from '@a2a-js/sdk';
import { ClientFactory, ServiceParameters, withA2AExtensions, type Client } from '@a2a-js/sdk/client';
import { whileWanted } from '../../../boundary/while-wanted.ts';
import { upFormatUri } from '../extension.ts';
import { a2aMessage } from '../parts.ts';
import type { TraceContext } from '../../../ports/telemetry.ts';

/** A remote agent that is reached. */
export interface Connection {
  readonly client: Client;
  /** Whether its card declares our extension: it takes a message once, and says why it failed. */
  readonly speaksUpFormat: boolean;
}

/** The card stands below the address, also where that has a path without a slash at its end. */
const below = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

/**
 * Reaches an agent by its client, or by the address of its card: once, and again where that failed, or took longer than
 * somebody had.
 */
export const connectionTo = (agent: Client | string): ((signal: AbortSignal) => Promise<Connection>) => {
  let reached: Promise<Connection> | undefined;
  const reach = async (): Promise<Connection> => {
    const client = typeof agent === 'string' ? await new ClientFactory().createFromUrl(below(agent)) : agent;
    const { capabilities } = await client.getAgentCard();
    const speaksUpFormat = capabilities?.extensions.some(({ uri }) => uri === upFormatUri) === true;
    return { client, speaksUpFormat };
  };
  return async (signal) => {
    signal.throwIfAborted();
    const own = (reached ??= reach());
    try {
      return await whileWanted(own, signal);
    } catch (error) {
      if (reached === own) reached = undefined;
      throw error;
    }
  };
};

/** What travels with every call: our extension, and the place in the trace (W3C Trace Context). */
export interface Along {
  readonly signal: AbortSignal;
  readonly at?: Partial<TraceContext>;
}

const optionsFor = ({ signal, at }: Along) => ({
  signal,
  serviceParameters: {
    ...ServiceParameters.create(withA2AExtensions(upFormatUri)),
    ...(at?.traceparent !== undefined && { traceparent: at.traceparent }),
    ...(at?.tracestate !== undefined && { tracestate: at.tracestate }),
  },
});

/** What is sent: as part of a conversation, or of a task in it. */
export interface Sent {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId?: string;
  readonly parts: Part[];
  readonly approval?: string | undefined;
}

/** Sends a message, and does not wait for what comes of it. */
export const send = (
  { client }: Connection,
  { approval, ...sent }: Sent,
  along: Along,
): Promise<Task | Message> =>
  client.sendMessage(
    {
      tenant: '',
      message: a2aMessage(sent, Role.ROLE_USER),
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: undefined,
        returnImmediately: true,
      },
      metadata: approval === undefined ? undefined : { [upFormatUri]: { approval } },
    },
    optionsFor(along),
  );

export const taskBy = ({ client }: Connection, id: string, along: Along): Promise<Task> =>
  client.getTask({ tenant: '', id }, optionsFor(along));

/** The tasks of a conversation, the latest first. */
export const tasksIn = async ({ client }: Connection, contextId: string, along: Along): Promise<Task[]> => {
  const { tasks } = await client.listTasks(
    {
      tenant: '',
      contextId,
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    },
    optionsFor(along),
  );
  return tasks.filter((task) => task.contextId === contextId);
};
