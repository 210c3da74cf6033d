import type { z } from 'zod';
import type {
  FeedbackType,
  OperationalState,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
} from '../../../schema/index.ts';
import { adoptsKey } from '../../../src/core/kernel/words.ts';
import { supersedesKey } from '../../../src/core/kernel/messages.ts';
import { followupKey } from '../../../src/core/kernel/settled.ts';
import { code, page } from './markdown.ts';

/** The names that an object type lists; an index signature lists none. */
type Listed<Type> = keyof {
  [Name in keyof Type as string extends Name ? never : Name]: unknown;
};
type Names<Type> = Extract<Listed<Type>, string>;

/** What a field holds, and who writes it. */
type Rows<Name extends string> = Readonly<Record<Name, string>>;

/** Table 1. */
export const core: Rows<Exclude<Names<UpFormatMessage>, 'upThought' | 'upFeedback' | 'upContext'>> = {
  messageId: 'set by the engine; a received message keeps its own',
  threadId: 'set by the caller, by default a new one',
  parentMessageId: 'the message that it answers, by default the last one of the thread',
  timestamp: 'the time of its record',
  state: 'set by the chart, never by a model',
  payload: 'parsed by a schema, if one is declared',
  explanation: 'what happened, for people',
  agentId: 'the sender',
};

/** Table 2, the states. */
export const states: Rows<z.infer<typeof OperationalState>> = {
  submitted: 'a request, an answer, a plan that goes on and says why, or a task that resumes',
  waiting: 'a tool waits for another participant',
  completed: 'a delivery, or a settled refinement',
  failed: 'what was missing, and what to do',
  needsHumanDecision: 'a question',
  followup: 'an offered refinement and its default',
  cancelled: 'who ended it',
};

/** Table 2, the extensions. */
export const thought: Rows<Names<UpThought>> = {
  reasoning: 'written by the agent',
  questions: 'written by the agent, or by a mapping',
  confidence: 'set by the agent; the chart compares it with the threshold',
  canProceed: 'set by the agent; `false` asks a person',
  alternatives: 'written by the agent, or the possible mappings; a person can rank them',
  assumptions: 'written by the agent',
};
export const feedback: Rows<Names<UpFeedback>> = {
  type: 'set by the person who answers, if the question accepts it',
  target: 'the message of the question, or a part of it',
  content: 'written by the person who answers',
  metadata: 'severity and priority, set by the person who answers',
};
export const context: Rows<Names<UpContext>> = {
  entity: 'the title of the schema',
  fields: 'the descriptions of the schema, by path',
  concepts: 'the concepts of the schema, and those the agent adds',
  constraints: 'the constraints of the schema, by path',
  schema: 'its `$id`, if it has one',
};
export const feedbackTypes: Rows<z.infer<typeof FeedbackType>> = {
  edit: 'replaces the proposal',
  approve: 'accepts it',
  reject: 'refuses it',
  rank: 'selects the first alternative',
  comment: 'is recorded and decides nothing',
  instruction: 'goes to the model',
};

/** The members of a message that UpFormat does not define. */
export const own = {
  [adoptsKey]: 'the review whose calls or payload the model adopted, by its `messageId`',
  [supersedesKey]: 'the question whose output or action an answer replaces or ends, by its `messageId`',
  [followupKey]: 'how a refinement ended',
} as const;

/** Who sends messages, and which. */
export const participants = {
  'a person': 'requests with a `user_id`, answers, cancels',
  'the agent': 'requests, plans with reasons, questions about its plan, draft or action, and deliveries',
  'the orchestrator': 'resumes, maps, offers and fails tasks, and reports adoptions, as `agentcharter`',
  'a tool': 'waits, asks, and sends the messages of `context.send`',
  'a verifier': 'reports, under its `verifier_id`',
  'an agent elsewhere': 'received messages, unchanged, by `receive`',
  'a reviewing agent': 'feedback that decides nothing; a model may adopt its edit or ranking',
} as const;
export type Participant = keyof typeof participants;

const listed = (of: Rows<string>, holder = ''): string =>
  Object.entries(of)
    .map(([name, says]) => `- ${code(holder + name)}: ${says}.`)
    .join('\n');

/** Every field of a message, every state, kind of feedback and participant. */
export const messagesPage = (): string =>
  page(
    'Messages',
    'Look up what each field of a message contains, and who sends which message.',
    '## Fields (UpFormat Table 1)',
    listed(core),
    '## States (Table 2)',
    listed(states),
    '## Extensions (Table 2)',
    [listed(thought, 'upThought.'), listed(feedback, 'upFeedback.'), listed(context, 'upContext.')].join(
      '\n',
    ),
    '## Additional members',
    listed(own),
    '## Feedback (2.2)',
    listed(feedbackTypes),
    '## Participants (2)',
    Object.entries(participants)
      .map(([name, says]) => `- ${name}: ${says}.`)
      .join('\n'),
  );
