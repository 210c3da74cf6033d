import type { Session } from '../../wire.ts';
import { useConnection, type Connection } from '../live.ts';
import { linkTo, type Route } from '../route.ts';

const connections: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected: reconnecting',
  ended: 'Not connected: open a new link',
};

interface Given {
  route: Route;
  session: Session | undefined;
  waiting: number | undefined;
}

export const Header = ({ route, session, waiting }: Given) => {
  const connection = useConnection();
  const isInbox = route.view === 'inbox';
  return (
    <header class="top">
      <span class="brand">AgentCharter</span>
      <nav aria-label="Console">
        <a href={linkTo({ view: 'inbox', messageId: null })} aria-current={isInbox ? 'page' : undefined}>
          Inbox
          {waiting !== undefined && (
            <>
              {' '}
              <span class="count" data-waiting={waiting > 0}>
                {waiting}
              </span>
              <span class="unseen"> waiting</span>
            </>
          )}
        </a>
        <a href={linkTo({ view: 'tasks' })} aria-current={isInbox ? undefined : 'page'}>
          Tasks
        </a>
      </nav>
      <span class="session">
        <span class="who">{session === undefined ? '' : (session.identity ?? 'Read-only')}</span>
        <span class={`connection ${connection}`} role="status">
          {connections[connection]}
        </span>
      </span>
    </header>
  );
};
