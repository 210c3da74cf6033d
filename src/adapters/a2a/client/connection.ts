import { Role, type Message, type Part, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
  type Client,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import type { Allowance } from '../../../base/boundary/budget.ts';
import { untilAborted } from '../../../base/boundary/until-aborted.ts';
import { upFormatUri } from '../extension.ts';
import { a2aMessage } from '../parts.ts';
import type { TraceContext } from '../../../base/ports/telemetry.ts';
import { checkAddress, fetchWithin, type AgentAddress } from './address.ts';
import { boundedCard, boundedReply, boundedTasks } from './bounds.ts';

/** A connection to a remote agent. */
export interface Connection {
  readonly client: Client;
  /** Whether its card declares our extension: message deduplication and reason codes. */
  readonly declaresUpFormat: boolean;
  readonly allowance: Allowance;
}

/** The agent to connect to, and its limits. */
export interface ConnectionTarget {
  readonly agent: Client | string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly allowance: Allowance;
}

/** Returns the URL of the card below an address, also if its path has no trailing slash. */
const cardBelow = (address: string): URL =>
  new URL('.well-known/agent-card.json', address.endsWith('/') ? address : `${address}/`);

/** Returns an SDK factory that connects only to allowed origins. */
const within = (reach: AgentAddress, factory: TransportFactory): TransportFactory => ({
  protocolName: factory.protocolName,
  create: async (url, card) => {
    checkAddress(reach, new URL(url));
    return factory.create(url, card);
  },
});

const clientAt = ({ name, origins, allowance }: ConnectionTarget, address: string): Promise<Client> => {
  const card = cardBelow(address);
  const reach: AgentAddress = { agent: name, card, origins: [card.origin, ...origins], allowance };
  const fetchImpl = fetchWithin(reach);
  const transports = [
    within(reach, new JsonRpcTransportFactory({ fetchImpl })),
    within(reach, new RestTransportFactory({ fetchImpl })),
  ];
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  return new ClientFactory({ transports, cardResolver }).createFromUrl(card.href, '');
};

/**
 * Returns a function that connects to an agent, by client or card URL. It reuses the connection, and retries
 * after a failure or timeout.
 */
export const connectionTo = (to: ConnectionTarget): ((signal: AbortSignal) => Promise<Connection>) => {
  let reached: Promise<Connection> | undefined;
  const reach = async (): Promise<Connection> => {
    const { agent, allowance } = to;
    const client = typeof agent === 'string' ? await clientAt(to, agent) : agent;
    const { capabilities } = boundedCard(await client.getAgentCard(), allowance);
    const declaresUpFormat = capabilities?.extensions.some(({ uri }) => uri === upFormatUri) === true;
    return { client, declaresUpFormat, allowance };
  };
  return async (signal) => {
    signal.throwIfAborted();
    const own = (reached ??= reach());
    try {
      return await untilAborted(own, signal);
    } catch (error) {
      if (reached === own) reached = undefined;
      throw error;
    }
  };
};

/** Headers and metadata of every call: our extension, and the W3C trace context. */
export interface CallSettings {
  readonly signal: AbortSignal;
  readonly at?: Partial<TraceContext>;
}

const optionsFor = ({ signal, at }: CallSettings) => ({
  signal,
  serviceParameters: {
    ...ServiceParameters.create(withA2AExtensions(upFormatUri)),
    ...(at?.traceparent !== undefined && { traceparent: at.traceparent }),
    ...(at?.tracestate !== undefined && { tracestate: at.tracestate }),
  },
});

/** The content of a message, and its conversation or task. */
export interface Sent {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId?: string;
  readonly parts: Part[];
  readonly approval?: string | undefined;
}

/** Sends a message without waiting for the result. */
export const send = async (
  { client, allowance }: Connection,
  { approval, ...sent }: Sent,
  settings: CallSettings,
): Promise<Task | Message> => {
  const reply = await client.sendMessage(
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
    optionsFor(settings),
  );
  return boundedReply(reply, allowance);
};

export const taskBy = async (
  { client, allowance }: Connection,
  id: string,
  settings: CallSettings,
): Promise<Task> => boundedReply(await client.getTask({ tenant: '', id }, optionsFor(settings)), allowance);

/** Returns the tasks of a conversation, the latest first. */
export const tasksIn = async (
  { client, allowance }: Connection,
  contextId: string,
  settings: CallSettings,
): Promise<Task[]> => {
  const { tasks } = await client.listTasks(
    {
      tenant: '',
      contextId,
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    },
    optionsFor(settings),
  );
  return boundedTasks(tasks, allowance).filter((task) => task.contextId === contextId);
};
