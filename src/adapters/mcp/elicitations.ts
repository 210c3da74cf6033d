import { nameOf, ServerRequest, type Asked, type Elicited, type Given } from './asking.ts';

/** A call in progress. */
interface Session {
  /** The earlier answers, in order. */
  readonly answers: readonly Given[];
  /** Whether it can be aborted and repeated after the answer. */
  readonly mayPause: boolean;
  /** The number of answers that were replayed. */
  taken: number;
  asked: Asked['inputRequests'][string] | null;
}

/**
 * Handles questions of servers before MCP 2026-07-28. Set `answer` as your client's handler of
 * `elicitation/create`.
 */
export interface Elicitations {
  /** Returns a person's answer. Without one, aborts the call, which is repeated after the answer. */
  readonly answer: (request: { readonly params: unknown }) => Promise<Elicited>;
  /** @internal */
  readonly during: <Result>(
    told: Pick<Session, 'answers' | 'mayPause'>,
    work: () => Promise<Result>,
  ) => Promise<{
    readonly result: Result | null;
    readonly request: Session['asked'];
    /** The replayed answers. */
    readonly told: readonly Given[];
  }>;
}

const declined = (reason: string): Elicited => ({
  action: 'decline',
  _meta: { 'agentcharter/reason': reason },
});

const reply = (session: Session, params: unknown): Elicited => {
  const answer = session.asked === null ? session.answers[session.taken] : undefined;
  if (answer?.to === nameOf(params)) {
    session.taken += 1;
    const { to: _to, ...said } = answer;
    return said;
  }
  if (!session.mayPause)
    return declined('this call cannot wait for a person: nothing says that it does nothing before');
  session.asked ??= ServerRequest.parse({ method: 'elicitation/create', params });
  return { action: 'cancel' };
};

/** Creates the elicitations of one client. */
export const createElicitations = (): Elicitations => {
  const sessions = new Set<Session>();
  return {
    answer: async ({ params }) => {
      const [session, ...others] = sessions;
      if (session === undefined) return declined('no call is under way');
      if (others.length > 0) return declined('several calls are under way, and it does not say which asks');
      return reply(session, params);
    },
    during: async (told, work) => {
      const session: Session = { ...told, taken: 0, asked: null };
      sessions.add(session);
      const end = <Outcome>(result: Outcome) => {
        const { answers, taken, asked: request } = session;
        return { result, request, told: answers.slice(0, taken) };
      };
      try {
        return end(await work());
      } catch (error) {
        if (session.asked === null) throw error;
        return end(null);
      } finally {
        sessions.delete(session);
      }
    },
  };
};
