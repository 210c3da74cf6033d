import {
  nameOf,
  ServerRequest,
  type ServerQuestions,
  type ElicitedAnswer,
  type RecordedAnswer,
} from './asking.ts';

/** A call in progress. */
interface Session {
  /** The earlier answers, in order. */
  readonly answers: readonly RecordedAnswer[];
  /** Whether it can be aborted and repeated after the answer. */
  readonly mayPause: boolean;
  /** The number of answers that were replayed. */
  taken: number;
  asked: ServerQuestions['inputRequests'][string] | null;
}

/**
 * Handles questions of servers before MCP 2026-07-28. Set `answer` as your client's handler of
 * `elicitation/create`.
 */
export interface Elicitations {
  /** Returns a person's answer. Without one, aborts the call, which is repeated after the answer. */
  readonly answer: (request: { readonly params: unknown }) => Promise<ElicitedAnswer>;
  /** @internal */
  readonly during: <Result>(
    call: Pick<Session, 'answers' | 'mayPause'>,
    work: () => Promise<Result>,
  ) => Promise<{
    readonly result: Result | null;
    readonly request: Session['asked'];
    /** The replayed answers. */
    readonly replayed: readonly RecordedAnswer[];
  }>;
}

const declined = (reason: string): ElicitedAnswer => ({
  action: 'decline',
  _meta: { 'agentcharter/reason': reason },
});

const reply = (session: Session, params: unknown): ElicitedAnswer => {
  const answer = session.asked === null ? session.answers[session.taken] : undefined;
  if (answer?.to === nameOf(params)) {
    session.taken += 1;
    const { to: _to, ...content } = answer;
    return content;
  }
  if (!session.mayPause)
    return declined('this call cannot wait for a person, because it may have an effect before the answer');
  session.asked ??= ServerRequest.parse({ method: 'elicitation/create', params });
  return { action: 'cancel' };
};

/** Creates the elicitations of one client. */
export const createElicitations = (): Elicitations => {
  const sessions = new Set<Session>();
  return {
    answer: async ({ params }) => {
      const [session, ...others] = sessions;
      if (session === undefined) return declined('no call is in progress');
      if (others.length > 0)
        return declined('several calls are in progress, and the question does not name its call');
      return reply(session, params);
    },
    during: async (call, work) => {
      const session: Session = { ...call, taken: 0, asked: null };
      sessions.add(session);
      const end = <Outcome>(result: Outcome) => {
        const { answers, taken, asked: request } = session;
        return { result, request, replayed: answers.slice(0, taken) };
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
