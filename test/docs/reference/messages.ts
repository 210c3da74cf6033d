import type { z } from 'zod';
import type {
  FeedbackType,
  OperationalState,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
} from '../../../schema/index.ts';
import { adoptsKey } from '../../../src/orchestrator/adoption-words.ts';
import { supersedesKey } from '../../../src/orchestrator/messages.ts';
import { followupKey } from '../../../src/orchestrator/settled.ts';
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
  messageId: 'the engine’s, or as a received message came',
  threadId: 'the caller’s, else a new one',
  parentMessageId: 'the message it answers, else the last one of the thread',
  timestamp: 'the time of its record',
  state: 'set by the chart, never by a model',
  payload: 'read by a schema where one is declared',
  explanation: 'what happened, for people',
  agentId: 'who sent it',
};

/** Table 2, the states. */
export const states: Rows<z.infer<typeof OperationalState>> = {
  submitted: 'a request, an answer, a task that goes on',
  waiting: 'a tool waits for another participant',
  completed: 'a delivery, or a settled refinement',
  failed: 'what was missing, and what to do',
  needsHumanDecision: 'a question',
  followup: 'an offered refinement and its default',
  cancelled: 'who ended it',
};

/** Table 2, the extensions. */
export const thought: Rows<Names<UpThought>> = {
  reasoning: 'the agent’s',
  questions: 'the agent’s, or those of a mapping',
  confidence: 'the agent’s; the chart compares it with the threshold',
  canProceed: 'the agent’s; `false` asks a person',
  alternatives: 'the agent’s, or the possible mappings; a person may rank one first',
  assumptions: 'the agent’s',
};
export const feedback: Rows<Names<UpFeedback>> = {
  type: 'the respondent’s, if the question accepts it',
  target: 'the message of the question, or a part of it',
  content: 'the respondent’s',
  metadata: 'the respondent’s severity and priority',
};
export const context: Rows<Names<UpContext>> = {
  entity: 'the title of the schema',
  fields: 'the descriptions of the schema, by path',
  concepts: 'the concepts of the schema, and those the agent adds',
  constraints: 'the constraints of the schema, by path',
  schema: 'its `$id`, if it has one',
};
export const feedbackTypes: Rows<z.infer<typeof FeedbackType>> = {
  edit: 'replaces what was proposed',
  approve: 'accepts it',
  reject: 'refuses it',
  rank: 'takes the alternative that it puts first',
  comment: 'is recorded, and decides nothing',
  instruction: 'goes to the model',
};

/** The members of a message that are our own. */
export const own = {
  [adoptsKey]: 'the review whose calls or payload the model adopted, by its `messageId`',
  [supersedesKey]: 'the question whose output or action an answer replaces or ends, by its `messageId`',
  [followupKey]: 'how a refinement ended',
} as const;

/** Who sends messages, and which. */
export const participants = {
  'a person': 'requests with a `user_id`, answers, cancels',
  'the agent': 'its requests, questions about its plan, draft or action, deliveries',
  'the orchestrator': '`agentcharter`: goes on, maps, says what was adopted, offers, fails',
  'a tool': 'waits, asks, and sends what `context.send` gets',
  'a verifier': 'its reports, under its `verifier_id`',
  'an agent elsewhere': 'messages as they came, by `receive`',
  'a reviewing agent': 'feedback that decides nothing; the model may adopt its edit or ranking as a proposal',
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
    'Look up what stands in each field of a message, and who sends it. Each line has a test in test/docs/reference/messages.test.ts.',
    '## Fields (UpFormat Table 1)',
    listed(core),
    '## States (Table 2)',
    listed(states),
    '## Extensions (Table 2)',
    [listed(thought, 'upThought.'), listed(feedback, 'upFeedback.'), listed(context, 'upContext.')].join(
      '\n',
    ),
    '## Our own members',
    listed(own),
    '## Feedback (2.2)',
    listed(feedbackTypes),
    '## Participants (2)',
    Object.entries(participants)
      .map(([name, says]) => `- ${name}: ${says}.`)
      .join('\n'),
  );
