import type { AnyActorRef, AnyEventObject, InspectionEvent, Snapshot } from 'xstate';
import type { Audience } from '../../optional/server/audience.ts';
import { eventOf } from '../../optional/server/events.ts';
import type { Address, Wire } from './wire.ts';

/** The last known state of an actor, for new viewers. */
interface Pin extends Address {
  readonly actor: AnyActorRef;
  readonly order: number;
  /** The last event. */
  event: AnyEventObject | undefined;
  isIntroduced: boolean;
  hasFailed: boolean;
}

/** Runs `look`; returns `undefined` if it throws. Inspection must not disturb the actor. */
const tryOrUndefined = <Shown>(look: () => Shown): Shown | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/** The most recently changed actors. Notifies viewers of changes, and gives new viewers a snapshot. */
export class Pins {
  readonly #pins = new Map<string, Pin>();
  readonly #wire: Wire;
  readonly #viewers: Audience;
  readonly #limit: number;
  #count = 0;

  constructor(wire: Wire, viewers: Audience, limit: number) {
    this.#wire = wire;
    this.#viewers = viewers;
    this.#limit = limit;
  }

  actor(sessionId: string): AnyActorRef | undefined {
    return this.#pins.get(sessionId)?.actor;
  }

  /** Returns a snapshot of all actors, parents before children. */
  messages(): readonly string[] {
    const pins = [...this.#pins.values()].toSorted((one, other) => one.order - other.order);
    return pins.flatMap((pin) => tryOrUndefined(() => this.#messagesOf(pin)) ?? []);
  }

  /** Adds an actor. */
  #pin(actor: AnyActorRef, rootId: string): Pin {
    const { sessionId } = actor;
    const pin: Pin = this.#pins.get(sessionId) ?? {
      actor,
      sessionId,
      rootId,
      order: this.#count++,
      event: undefined,
      isIntroduced: false,
      hasFailed: false,
    };
    this.#pins.delete(sessionId); // a `Map` keeps the order of insertion
    this.#pins.set(sessionId, pin);
    const [oldest] = this.#pins.keys();
    if (this.#pins.size > this.#limit && oldest !== undefined) this.#pins.delete(oldest);
    return pin;
  }

  /** Handles an inspection event of XState. Never throws. */
  take(inspection: InspectionEvent): void {
    tryOrUndefined(() => this.#take(inspection));
  }

  #take(inspection: InspectionEvent): void {
    const { type, rootId } = inspection;
    const actorRef = inspection.actorRef as AnyActorRef; // XState inspects only its own actors
    switch (type) {
      case '@xstate.actor': {
        const pin = this.#pin(actorRef, rootId);
        queueMicrotask(() => tryOrUndefined(() => this.#introduce(pin))); // the actor has no snapshot yet
        return;
      }
      case '@xstate.event': {
        const { event, sourceRef } = inspection;
        this.#takeEvent(this.#pin(actorRef, rootId), event, sourceRef?.sessionId);
        return;
      }
      case '@xstate.snapshot': {
        const { event, snapshot } = inspection;
        this.#takeSnapshot(this.#pin(actorRef, rootId), event, snapshot);
        return;
      }
      case '@xstate.transition':
      case '@xstate.microstep':
      case '@xstate.action':
        return; // the protocol has no such messages
    }
  }

  #messagesOf(pin: Pin): readonly string[] {
    const introduction = this.#introduction(pin);
    if (pin.event === undefined) return [introduction];
    return [introduction, this.#wire.snapshot(pin.actor.getSnapshot(), pin.event, addressOf(pin))];
  }

  #introduction(pin: Pin): string {
    return this.#wire.actor(pin.actor, addressOf(pin));
  }

  #introduce(pin: Pin): void {
    if (pin.isIntroduced) return;
    pin.isIntroduced = true;
    this.#viewers.send(() => eventOf(this.#introduction(pin)));
  }

  #takeEvent(pin: Pin, event: AnyEventObject, sourceId: string | undefined): void {
    this.#introduce(pin);
    this.#viewers.send(() => eventOf(this.#wire.event(event, addressOf(pin), sourceId)));
    // XState sends no snapshot event for a transition that threw
    if (this.#viewers.size > 0) queueMicrotask(() => tryOrUndefined(() => this.#lookAfter(pin, event)));
  }

  #lookAfter(pin: Pin, event: AnyEventObject): void {
    const snapshot: Snapshot<unknown> = pin.actor.getSnapshot();
    if (snapshot.status === 'error' && !pin.hasFailed) this.#takeSnapshot(pin, event, snapshot);
  }

  #takeSnapshot(pin: Pin, event: AnyEventObject, snapshot: Snapshot<unknown>): void {
    this.#introduce(pin);
    pin.event = event;
    pin.hasFailed = snapshot.status === 'error';
    this.#viewers.send(() => eventOf(this.#wire.snapshot(snapshot, event, addressOf(pin))));
  }
}

const addressOf = ({ sessionId, rootId }: Pin): Address => ({ sessionId, rootId });
