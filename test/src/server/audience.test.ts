import { describe, expect, it } from 'vitest';
import { Audience } from '../../../src/server/audience.ts';
import { createLink } from '../../../src/server/link.ts';
import { settle } from '../orchestrator/simulated-clock.ts';

const linked = () => createLink(new Request('http://here/'), {}, () => {});

describe('a reader', () => {
  it('hears the greeting, and what is told after it, all that waits at once', async () => {
    const audience = new Audience(100);
    const frames = audience.join(() => 'hello;', linked());
    audience.tell(() => 'before;');
    expect(await frames.next()).toEqual({ done: false, value: 'hello;' });
    audience.tell(() => 'one;');
    audience.tell(() => 'two;');
    expect(await frames.next()).toEqual({ done: false, value: 'one;two;' });
    const waiting = frames.next();
    await settle();
    audience.tell(() => 'three;');
    expect(await waiting).toEqual({ done: false, value: 'three;' });
  });

  it('that leaves more unread than it may is let go, and the others are not', async () => {
    const audience = new Audience(10);
    const [slow, quick] = [linked(), linked()];
    const [one, other] = [audience.join(() => '', slow), audience.join(() => '', quick)];
    const read = [one.next(), other.next()];
    audience.tell(() => '12345;');
    await Promise.all(read);
    audience.tell(() => '12345;');
    await other.next();
    audience.tell(() => '12345;');
    expect([slow.gone.aborted, quick.gone.aborted]).toEqual([true, false]);
    expect((await one.next()).done).toBe(true);
    expect(audience.size).toBe(1);
  });

  it('that is gone leaves while it waits', async () => {
    const audience = new Audience(10);
    const link = linked();
    const waiting = audience.join(() => '', link).next();
    await settle();
    expect(audience.size).toBe(1);
    link.abort();
    expect([(await waiting).done, audience.size]).toEqual([true, 0]);
  });

  it('hears the end after all that it has not read', async () => {
    const audience = new Audience(100);
    const frames = audience.join(() => 'hello;', linked());
    await frames.next();
    audience.tell(() => 'one;');
    let isOver = false;
    const over = audience.end('bye;').then(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    expect([await frames.next(), await frames.next()]).toMatchObject([{ value: 'one;bye;' }, { done: true }]);
    await over;
  });
});
