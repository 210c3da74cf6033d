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
import type { Allowance } from '../../../boundary/budget.ts';
import { untilAborted } from '../../../boundary/until-aborted.ts';
import { upFormatUri } from '../extension.ts';
import { a2aMessage } from '../parts.ts';
import type { TraceContext } from '../../../ports/telemetry.ts';
import { checkAddress, fetchWithin, type Reach } from './address.ts';
import { boundedCard, boundedReply, boundedTasks } from './bounds.ts';

/** A remote agent that is reached. */
export interface Connection {
  readonly client: Client;
  /** Whether its card declares our extension: it takes a message once, and says why it failed. */
  readonly speaksUpFormat: boolean;
  readonly allowance: Allowance;
}

/** Who is reached, and within what. */
export interface Reached {
  readonly agent: Client | string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly allowance: Allowance;
}

/** The card stands below the address, also where that has a path without a slash at its end. */
const cardBelow = (address: string): URL =>
  new URL('.well-known/agent-card.json', address.endsWith('/') ? address : `${address}/`);

/** A factory of the SDK that makes no transport to an address which the host did not name. */
const within = (reach: Reach, factory: TransportFactory): TransportFactory => ({
  protocolName: factory.protocolName,
  create: async (url, card) => {
    checkAddress(reach, new URL(url));
    return factory.create(url, card);
  },
});

const clientAt = ({ name, origins, allowance }: Reached, address: string): Promise<Client> => {
  const card = cardBelow(address);
  const reach: Reach = { agent: name, card, origins: [card.origin, ...origins], allowance };
  const fetchImpl = fetchWithin(reach);
  const transports = [
    within(reach, new JsonRpcTransportFactory({ fetchImpl })),
    within(reach, new RestTransportFactory({ fetchImpl })),
  ];
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  return new ClientFactory({ transports, cardResolver }).createFromUrl(card.href, '');
};

/**
 * Reaches an agent by its client, or by the address of its card: once, and again where that failed, or took longer than
 * somebody had.
 */
export const connectionTo = (to: Reached): ((signal: AbortSignal) => Promise<Connection>) => {
  let reached: Promise<Connection> | undefined;
  const reach = async (): Promise<Connection> => {
    const { agent, allowance } = to;
    const client = typeof agent === 'string' ? await clientAt(to, agent) : agent;
    const { capabilities } = boundedCard(await client.getAgentCard(), allowance);
    const speaksUpFormat = capabilities?.extensions.some(({ uri }) => uri === upFormatUri) === true;
    return { client, speaksUpFormat, allowance };
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
export const send = async (
  { client, allowance }: Connection,
  { approval, ...sent }: Sent,
  along: Along,
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
    optionsFor(along),
  );
  return boundedReply(reply, allowance);
};

export const taskBy = async ({ client, allowance }: Connection, id: string, along: Along): Promise<Task> =>
  boundedReply(await client.getTask({ tenant: '', id }, optionsFor(along)), allowance);

/** The tasks of a conversation, the latest first. */
export const tasksIn = async (
  { client, allowance }: Connection,
  contextId: string,
  along: Along,
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
    optionsFor(along),
  );
  return boundedTasks(tasks, allowance).filter((task) => task.contextId === contextId);
};
