import { useEffect, useState } from 'preact/hooks';

export const tabs = ['thread', 'evidence', 'ledger', 'chart'] as const;
export type Tab = (typeof tabs)[number];

/** The current view, from the fragment of the URL, so that a reload restores it. */
export type Route =
  | { readonly view: 'inbox'; readonly messageId: string | null }
  | { readonly view: 'tasks' }
  | { readonly view: 'task'; readonly taskId: string; readonly tab: Tab };

export const routeIn = (hash: string): Route => {
  const [view, id = '', tab] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  if (view === 'tasks' && id === '') return { view: 'tasks' };
  if (view === 'tasks') return { view: 'task', taskId: id, tab: tabs.find((one) => one === tab) ?? 'thread' };
  return { view: 'inbox', messageId: id === '' ? null : id };
};

export const linkTo = (route: Route): string => {
  switch (route.view) {
    case 'inbox':
      return route.messageId === null ? '#/inbox' : `#/inbox/${encodeURIComponent(route.messageId)}`;
    case 'tasks':
      return '#/tasks';
    case 'task':
      return `#/tasks/${encodeURIComponent(route.taskId)}/${route.tab}`;
  }
};

export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeIn(hash);
};
