import type { Subject } from './subject.ts';

/** Every binding, by its folder: each is loaded where it is wanted. */
const loaders = {
  'by-hand': () => import('./by-hand/subject.ts'),
  'ai-sdk': () => import('./ai-sdk/subject.ts'),
  langchain: () => import('./langchain/subject.ts'),
  'openai-agents': () => import('./openai-agents/subject.ts'),
  http: () => import('./http/subject.ts'),
  mcp: () => import('./mcp/subject.ts'),
  a2a: () => import('./a2a/subject.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly subject: Subject }>>>;

export const subjectNames = Object.keys(loaders);

export const subjectOf = async (name: string): Promise<Subject> => {
  if (!Object.hasOwn(loaders, name)) throw new Error(`there is no binding ${name}`);
  return (await loaders[name as keyof typeof loaders]()).subject;
};

export const subjects = (): Promise<readonly Subject[]> => Promise.all(subjectNames.map(subjectOf));
