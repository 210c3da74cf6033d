import { expect } from 'vitest';
import {
  answer,
  balance,
  behaviour,
  delivered,
  facts,
  goOn,
  paused,
  payment,
  rates,
  staged,
  type Behaviour,
} from './stage.ts';
import { approvalSubject } from 'agentcharter/approvals';
import { actionDigest } from '../../../src/gates/approvals/subject.ts';
import { hostileText, shownTo, unseen } from './shown.ts';
import { exporting, textOf } from '../optional/telemetry/exported.ts';
import type { Opened, Step, Stop, Swap } from './subject.ts';
import { approve, beginRun, questionOf, signed } from './backend.ts';

/** How deep arguments are that no schema asked for: a reader that recurses once a level runs out of stack. */
const levels = 5_000;

const deep = (): object => {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { of: value };
  return value;
};

const tooDeep: Step = { calls: [{ id: 'call-2', tool: 'add_note', arguments: { line: deep() } }] };

/** What a caller saw, whether it was told or had to catch it. */
const seen = async (work: Promise<Stop>): Promise<string> => {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    return String(error);
  }
};

const secret = 'PLANTED-1';

/** An error that says what no trace may hold in its name, its message, its class and its own members. */
const planted = (): Error => {
  const own = class extends Error {
    override readonly name = `Failure ${secret}`;
    readonly code = secret;
  };
  Object.defineProperty(own, 'name', { value: `Failed ${secret}` });
  return new own(`no rates for ${secret}`, { cause: new Error(secret) });
};

const swapsOf = ({ swaps }: Opened): readonly Swap[] => ('none' in swaps ? [] : swaps);

/** What a hostile caller, or a framework that is brought to help it, does not get past a binding. */
export const hostile: readonly Behaviour[] = [
  behaviour(
    'swapped tool',
    'Calls no tool that the framework substitutes for a bound one.',
    async (subject) => {
      const { opened, close } = (await staged(subject, [])).house;
      await close();
      expect('none' in opened.swaps || opened.swaps.length > 0).toBe(true);
      for (const { name } of swapsOf(opened)) {
        const stage = await staged(subject, [balance, payment, answer]);
        await using house = stage.house;
        const swap = swapsOf(house.opened).find((one) => one.name === name);
        if (swap === undefined) throw new Error(`the swap ${name} is offered once only`);
        const past: string[] = [];
        await seen(swap.begin(stage, (tool) => past.push(tool)));
        expect([name, past, stage.backend.payments]).toEqual([name, [], []]);
      }
    },
  ),

  behaviour(
    'answer of nobody',
    'Delivers no forged answer from the kept messages; a binding that keeps none has none to forge.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = stage.house.opened.answered(await paused(stage), { said: 'paid, and more' });
      if (state !== null) expect(await seen(goOn(stage, state))).not.toContain('"delivered"');
      expect(stage.backend.effects).toEqual([]);
    },
  ),

  behaviour(
    'state of another run',
    'Refuses the kept state of another run, and resumes it in its own.',
    async (subject) => {
      const stage = await staged(subject, [balance, payment, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const entry = await questionOf(stage.run);
      await approve(stage.house, entry, await signed(entry));
      const other = { ...stage, run: await beginRun(stage.house) };
      expect(await seen(goOn(other, state))).not.toContain('"delivered"');
      expect(await facts(other)).not.toContain('call.started');
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual(['paid alice 100']);
    },
  ),

  behaviour(
    'deep arguments',
    'Refuses arguments that are nested 5,000 deep in words, and continues the run.',
    async (subject) => {
      const stage = await staged(subject, [balance, tooDeep, answer]);
      await using _ = stage.house;
      expect(await seen(stage.house.opened.begin(stage))).not.toMatch(/call stack/);
      expect(stage.backend.effects).toEqual([]);
      expect((await stage.run.progress()).reasons).toEqual([]);
    },
  ),

  behaviour(
    'thrown text',
    'Keeps the name, the message and the class of a tool’s error out of every span.',
    async (subject) => {
      const { telemetry, spans, one } = exporting();
      const prefix = (await staged(subject, [])).house.opened.prefix ?? '';
      const stage = await staged(subject, [balance, rates('call-2'), answer], { failures: 9, telemetry });
      stage.backend.failure = planted;
      await using _ = stage.house;
      await seen(stage.house.opened.begin(stage));
      await stage.house.close();
      expect(one(`execute_tool ${prefix}read_rates`).attributes).toMatchObject({
        'error.type': 'TOOL_FAILED',
      });
      expect(textOf(spans())).not.toContain(secret);
    },
  ),

  behaviour(
    'hostile text',
    'Shows every character of hostile arguments in the question, under their exact digest.',
    async (subject) => {
      const input = { to: hostileText, cents: 100 };
      const tool = 'send_money';
      const pay: Step = { calls: [{ id: 'call-2', tool, arguments: input }] };
      const stage = await staged(subject, [balance, pay, answer]);
      await using _ = stage.house;
      const state = await paused(stage);
      const entry = await questionOf(stage.run);
      for (const text of await shownTo(entry)) {
        expect(text).not.toMatch(unseen);
        expect(text.split('\n').filter((line) => /^\W*Approved by/.test(line))).toEqual([]);
      }
      expect((await shownTo(entry)).join('\n')).toContain('alice\\u202e');
      const { subject: approved, claims } = approvalSubject(entry);
      const { action } = approved;
      expect(action.arguments).toEqual(input);
      expect(claims.action_digest).toBe(actionDigest(claims.request_id, { ...action, arguments: input }));
      await approve(stage.house, entry, await signed(entry));
      expect(await goOn(stage, state)).toEqual(delivered);
      expect(stage.backend.effects).toEqual([`paid ${hostileText} 100`]);
    },
  ),
];
