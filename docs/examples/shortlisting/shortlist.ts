import {
  createOrchestrator,
  type InboxEntry,
  type Model,
  type Orchestrator,
  type Settled,
  type Store,
} from 'agentcharter';
import type { EvidenceObject, UpFeedback, UpFormatMessage } from 'agentcharter/schema';
import { z } from 'zod';
import { agents } from './agents.ts';
import { emailTool, policy, readTool, searchTool, taskClasses, verifiers } from './charter.ts';
import type { Answer, Human, Question } from './human.ts';
import type { Mailer } from './mail.ts';
import type { FreelancerSearch } from './search.ts';

/** What the workflow runs on: real parts, handed in. */
export interface Parts {
  readonly search: FreelancerSearch;
  /** The model; by default the agents of this example. */
  readonly model?: Model;
  readonly mailer: Mailer;
  readonly human: Human;
  /** Where the tasks are kept. */
  readonly store: Store;
  /** How long the offer waits for a choice, in milliseconds. */
  readonly patience: number;
  /** Gets the orchestrator before anything runs. */
  readonly watch: (orchestrator: Orchestrator) => void;
  /** Waited for before the orchestrator closes. */
  readonly linger?: () => Promise<void>;
}

/** How the workflow ended. */
export type Result =
  | { readonly end: 'delivered'; readonly recommendation: Settled; readonly invitation: Settled | null }
  | { readonly end: 'failed'; readonly failed: Settled }
  | { readonly end: 'paused'; readonly question: InboxEntry };

const identity = {
  agent_id: 'recommender',
  owner_id: 'acme-recruiting',
  user_id: 'hiring-desk',
  control_class: 'human-supervised',
};

const request = { role: 'TypeScript engineer', skills: ['TypeScript', 'Node.js', 'PostgreSQL'], limit: 5 };

const Choices = z.object({ candidates: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The requested fields, each with its description in upContext (UpFormat 3.1). */
const fieldsOf = ({ upContext }: UpFormatMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(upContext?.fields ?? {}).map(([path, field]) => [
      path,
      typeof field === 'string' ? field : field.description,
    ]),
  );

const endsOf = (deadline: string, byDefault: unknown): string =>
  `Answer until ${new Date(deadline).toLocaleString()}; then ${byDefault === null ? 'the task fails' : 'the default is taken'}.`;

const asPut = ({ question, message }: InboxEntry): Question => {
  const choices = Choices.safeParse(message.payload).data?.candidates;
  return {
    id: message.messageId, // one message a question, also where a followup is offered again
    kind: question.kind,
    text: message.explanation,
    ...(question.deadline !== null && { ends: endsOf(question.deadline, question.byDefault) }),
    accepts: question.accepts,
    ...(choices === undefined
      ? { fields: fieldsOf(message) }
      : { choices: choices.map(({ id, name }) => ({ id, label: name })) }),
  };
};

const feedbackOf = ({ message }: InboxEntry, { type, content }: Answer): UpFeedback => {
  const target = message.messageId;
  if (type === 'rank') return { type, target, content: z.array(z.json()).parse(content) };
  if (type === 'edit') return { type, target, content: { value: z.json().parse(content) } };
  return { type, target, ...(typeof content === 'string' && { content }) };
};

/** Puts each question to the human, once. */
class Consultation {
  readonly #put = new Set<string>();
  readonly #orchestrator: Orchestrator;
  readonly #human: Human;
  readonly #signal: AbortSignal;

  constructor(orchestrator: Orchestrator, human: Human, signal: AbortSignal) {
    this.#orchestrator = orchestrator;
    this.#human = human;
    this.#signal = signal;
  }

  /** The first question without an answer and without a default: it pauses the workflow. */
  paused(): Promise<InboxEntry> {
    return new Promise((pause, fail) => {
      const once = (entry: InboxEntry): void => {
        const { messageId } = entry.message;
        if (!this.#put.has(messageId)) void this.#ask(entry, pause).catch(fail);
        this.#put.add(messageId);
      };
      this.#orchestrator.on('question', once);
      this.#orchestrator.on('error', ({ error }) => fail(error));
      void this.#open(once).catch(fail);
    });
  }

  /** What was asked before the workflow was stopped. */
  async #open(once: (entry: InboxEntry) => void): Promise<void> {
    for (const entry of await this.#orchestrator.inbox()) once(entry);
  }

  async #ask(entry: InboxEntry, pause: (entry: InboxEntry) => void): Promise<void> {
    const answer = await this.#human.answer(asPut(entry), this.#signal);
    if (answer === undefined) {
      if (entry.question.kind !== 'followup' && !this.#signal.aborted) pause(entry);
      return;
    }
    await this.#orchestrator.respond(feedbackOf(entry, answer), { by: answer.by });
    if (answer.type === 'comment') await this.#ask(entry, pause); // a comment answers nothing
  }
}

const Default = z.object({ chosen: z.array(z.string()) });
const chosenOf = ({ followup }: Settled): readonly string[] =>
  z.array(z.string()).safeParse(followup?.value).data ??
  Default.safeParse(followup?.value).data?.chosen ??
  [];

/** The results of tools in every task of the store. */
const evidenceIn = async (orchestrator: Orchestrator): Promise<readonly EvidenceObject[]> => {
  const tasks = await orchestrator.list();
  const documents = await Promise.all(tasks.map(({ taskId }) => orchestrator.documents(taskId)));
  return documents.flat().flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
};

/** The number of this workflow: the last one if it is unfinished, else the next. */
const workflowIn = async (orchestrator: Orchestrator): Promise<number> => {
  const tasks = await orchestrator.list();
  const begun = tasks.filter(({ taskClass }) => taskClass === 'recommendation');
  const last = begun.at(-1);
  if (last === undefined) return 1;
  if (!last.isSettled) return begun.length;
  const isOver =
    last.outcome !== 'success' ||
    chosenOf(await orchestrator.settled(last.taskId)).length === 0 ||
    tasks.some(
      ({ taskClass, threadId, isSettled }) =>
        taskClass === 'invitation' && threadId === last.threadId && isSettled,
    );
  return begun.length + (isOver ? 1 : 0);
};

/**
 * The hiring workflow of UpFormat 3.1, as two runs in one thread: a recommendation, then the invitation of those who
 * were chosen. One that was stopped goes on where it was: each run is submitted under a key, and so begins once.
 */
export const shortlist = async ({
  search,
  model = agents,
  mailer,
  human,
  store,
  patience,
  watch,
  linger = async () => {},
}: Parts): Promise<Result> => {
  const find = async (id: string) =>
    (await evidenceIn(orchestrator)).find(({ evidence_id }) => evidence_id === id);
  await using orchestrator: Orchestrator = createOrchestrator({
    taskClasses: taskClasses(patience),
    model,
    tools: [searchTool(search), readTool({ find }), emailTool(mailer)],
    verifiers,
    policy,
    store,
  });
  watch(orchestrator);
  const leave = new AbortController();

  try {
    const workflow = await workflowIn(orchestrator); // before anything goes on: what ends meanwhile is still this one
    await orchestrator.recover();
    const paused = new Consultation(orchestrator, human, leave.signal).paused();
    const run = async (
      submission: Parameters<Orchestrator['submit']>[0],
      key: string,
    ): Promise<Settled | InboxEntry> => {
      const { taskId } = await orchestrator.submit(submission, { key });
      return Promise.race([orchestrator.settled(taskId), paused]);
    };

    const recommendation = await run(
      {
        taskClass: 'recommendation',
        payload: request,
        explanation: `Recommend freelancers for the role ${request.role}.`,
        identity,
      },
      `recommendation ${workflow}`,
    );
    if ('question' in recommendation) return { end: 'paused', question: recommendation };
    if (recommendation.outcome !== 'success') return { end: 'failed', failed: recommendation };
    const { taskId, threadId } = recommendation;
    const chosen = chosenOf(recommendation);
    const original = (await orchestrator.documents(taskId))
      .flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []))
      .find(({ source }) => source === 'freelancers.search');
    if (chosen.length === 0 || original === undefined)
      return { end: 'delivered', recommendation, invitation: null };

    const invitation = await run(
      {
        taskClass: 'invitation',
        payload: {
          role: request.role,
          evidence_id: original.evidence_id,
          hash: original.hash,
          chosen: [...chosen],
        },
        explanation: `Invite ${chosen.length} candidates.`,
        identity: { ...identity, agent_id: 'inviter' },
        threadId,
        parentMessageId: (await orchestrator.thread(threadId)).at(-1)?.messageId,
      },
      `invitation ${workflow}`,
    );
    if ('question' in invitation) return { end: 'paused', question: invitation };
    return invitation.outcome === 'success'
      ? { end: 'delivered', recommendation, invitation }
      : { end: 'failed', failed: invitation };
  } finally {
    leave.abort();
    await linger();
  }
};
