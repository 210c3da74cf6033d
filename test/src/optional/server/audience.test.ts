import { describe, expect, it } from 'vitest';
import { Audience } from '../../../../src/optional/server/audience.ts';
import { createLink } from '../../../../src/optional/server/link.ts';
import { settle } from '../../core/shell/simulated-clock.ts';

const linked = () => createLink(new Request('http://here/'), {}, () => {});

describe('a reader of events', () => {
  it('receives the greeting and later events, several waiting ones at once', async () => {
    const audience = new Audience(100);
    const frames = audience.join(() => 'hello;', linked());
    audience.send(() => 'before;');
    expect(await frames.next()).toEqual({ done: false, value: 'hello;' });
    audience.send(() => 'one;');
    audience.send(() => 'two;');
    expect(await frames.next()).toEqual({ done: false, value: 'one;two;' });
    const waiting = frames.next();
    await settle();
    audience.send(() => 'three;');
    expect(await waiting).toEqual({ done: false, value: 'three;' });
  });

  it('is dropped when it leaves too much unread, and other readers stay', async () => {
    const audience = new Audience(10);
    const [slow, quick] = [linked(), linked()];
    const [one, other] = [audience.join(() => '', slow), audience.join(() => '', quick)];
    const read = [one.next(), other.next()];
    audience.send(() => '12345;');
    await Promise.all(read);
    audience.send(() => '12345;');
    await other.next();
    audience.send(() => '12345;');
    expect([slow.gone.aborted, quick.gone.aborted]).toEqual([true, false]);
    expect((await one.next()).done).toBe(true);
    expect(audience.size).toBe(1);
  });

  it('is removed when its connection ends while it waits', async () => {
    const audience = new Audience(10);
    const link = linked();
    const waiting = audience.join(() => '', link).next();
    await settle();
    expect(audience.size).toBe(1);
    link.abort();
    expect([(await waiting).done, audience.size]).toEqual([true, 0]);
  });

  it('receives the end after all unread events', async () => {
    const audience = new Audience(100);
    const frames = audience.join(() => 'hello;', linked());
    await frames.next();
    audience.send(() => 'one;');
    let isOver = false;
    const over = audience.end('bye;').then(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    expect([await frames.next(), await frames.next()]).toMatchObject([{ value: 'one;bye;' }, { done: true }]);
    await over;
  });
});
