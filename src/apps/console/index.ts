export { createConsole } from './console.ts';
export type { TaskConsole } from './console.ts';
export type { ConsoleOptions } from './options.ts';
export type { Notice, Notifier, QuestionNotice, SettledNotice, StuckNotice } from './notices/notifier.ts';
export { notifyPeople } from './notices/people.ts';
export type { NotifyOptions } from './notices/people.ts';
export type { WebhookOptions } from './notices/options.ts';
export { webhookNotifier } from './notices/webhook.ts';
