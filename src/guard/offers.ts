import type { Progress } from '../core/shell/progress.ts';
import { closing } from '../core/shell/task-errors.ts';
import type { Declared } from './declared.ts';
import type { GuardContext } from './guard-context.ts';
import { judge } from './judge.ts';
import type { Pending, PendingCall } from './pending-proposals.ts';
import { outputOf } from './turn.ts';
import { isWaiting } from './verdicts.ts';

type Ports = Pick<GuardContext, 'isClosing' | 'offer' | 'orchestrator' | 'unstated' | 'view'>;

/** The calls of a run that its agent proposes while people are asked to approve others. */
export class Offers {
  readonly #taskId: string;
  readonly #context: Ports;
  readonly #declared: Declared;
  readonly #onWait: () => void;
  readonly #open = new Map<PendingCall, Promise<boolean>>();

  /** `onWait` is called after a call was not taken: a turn may have opened meanwhile. */
  constructor(taskId: string, context: Ports, declared: Declared, onWait: () => void) {
    this.#taskId = taskId;
    this.#context = context;
    this.#declared = declared;
    this.#onWait = onWait;
  }

  /**
   * Offers a call that no turn took; once, however many wait for it. Returns whether something came of it. Throws `closed` if
   * no turn will come.
   */
  async offer(pending: Pending, progress: Progress): Promise<boolean> {
    if (this.#context.isClosing()) {
      if (pending.stage === 'queued' && !isWaiting(progress)) throw closing('propose');
      return false;
    }
    if (!('ref' in pending) || !isWaiting(progress)) return false;
    const open = this.#open.get(pending);
    if (open !== undefined || pending.stage !== 'queued') return open ?? false;
    pending.stage = 'sent'; // no turn takes it meanwhile
    pending.attempt = progress.attempt;
    const offered = this.#offer(pending).finally(() => this.#open.delete(pending));
    this.#open.set(pending, offered);
    return offered;
  }

  async #offer(pending: PendingCall): Promise<boolean> {
    let isOver = false;
    try {
      isOver = await this.#propose(pending);
      return isOver;
    } finally {
      if (!isOver) {
        pending.stage = 'queued';
        this.#onWait();
      }
    }
  }

  async #propose(pending: PendingCall): Promise<boolean> {
    const { offer, orchestrator, unstated, view } = this.#context;
    const { taskClass } = await view(this.#taskId);
    const declares = await this.#declared.notYetMandated();
    const output = outputOf({ calls: [pending], repeated: [], declares }, unstated(taskClass.id));
    const offered = await offer(this.#taskId, output);
    if (typeof offered === 'object') {
      judge({ rejected: offered, wants: 'draft' }, { calls: [pending], offset: 0 }, null);
      const { explanation = '' } = pending.verdict ?? {};
      await orchestrator.refuse(this.#taskId, { code: 'OUTPUT_INVALID', explanation });
    }
    return offered !== 'waits';
  }
}
