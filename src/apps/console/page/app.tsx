import { useFetched } from './fetched.ts';
import { Header } from './parts/header.tsx';
import { useRoute, type Route } from './route.ts';
import type { InboxPage, Session } from '../wire.ts';
import { InboxView } from './views/inbox.tsx';
import { TaskRoom } from './views/task.tsx';
import { TasksView } from './views/tasks.tsx';

const Shown = ({ route, session }: { route: Route; session: Session | undefined }) => {
  switch (route.view) {
    case 'inbox':
      return <InboxView messageId={route.messageId} identity={session?.identity ?? null} />;
    case 'tasks':
      return <TasksView operates={session?.operates ?? false} />;
    case 'task':
      return <TaskRoom key={route.taskId} taskId={route.taskId} tab={route.tab} />;
  }
};

export const App = () => {
  const route = useRoute();
  const session = useFetched<Session>('api/session', '');
  const inbox = useFetched<InboxPage>('api/inbox');
  const refusal = session.refusal ?? inbox.refusal;
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Header route={route} session={session.value} waiting={inbox.value?.total} />
      <main id="main" tabIndex={-1}>
        {refusal && (
          <p class="notice bad" role="alert">
            {refusal.detail}
          </p>
        )}
        {session.value?.identity === null && (
          <p class="notice">Read-only: no person is signed in, so questions can be read but not answered.</p>
        )}
        <Shown route={route} session={session.value} />
      </main>
    </>
  );
};

/** Moves the focus. The link must not change the URL, which holds the route. */
const toMain = (event: Event): void => {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
};
