import { lineageOf, toMermaid } from 'agentcharter/lineage';
import * as fc from 'fast-check';
import mermaid from '../../../rare/mermaid.mjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import { runs } from '../../../machines/generated.ts';
import { messageOf, readable, uuid } from './made.ts';

const Drawn = z.object({
  id: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  message: z.string().optional(),
  type: z.number(),
});
const Actors = z.map(z.string(), z.object({ description: z.string(), type: z.string() }));
const Diagram = z.object({
  getMessages: z.function({ input: [], output: z.array(Drawn) }),
  getActors: z.function({ input: [], output: Actors }),
});

/** What Mermaid shows for its entity codes, in the form that it keeps while parsing. */
const decoded = (text: string): string =>
  text.replaceAll(/ﬂ°°(\d+)¶ß/gu, (_, code: string) => String.fromCodePoint(Number(code)));

const { NOTE, SOLID, PAR_START, PAR_AND, PAR_END } = {
  NOTE: 2,
  SOLID: 0,
  PAR_START: 19,
  PAR_AND: 20,
  PAR_END: 21,
};

/** Returns what Mermaid parses from a diagram. */
const readBy = async (text: string) => {
  await mermaid.parse(text); // the public parser, which throws
  const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  expect(type).toBe('sequence');
  const diagram = db as z.infer<typeof Diagram>; // where Mermaid keeps a sequence diagram
  const drawn = z.array(Drawn).parse(diagram.getMessages());
  const actors = [...Actors.parse(diagram.getActors())].map(([name, { description, type: kind }]) => ({
    name,
    shown: decoded(description),
    kind,
  }));
  const lines = drawn.map(({ from, to, message = '', type: kind }) => ({
    kind,
    from,
    to,
    shown: decoded(message),
  }));
  return { actors, lines, said: lines.filter(({ kind }) => kind === NOTE || kind === SOLID) };
};

/** Words that the grammar reserves, separated by spaces. */
const words =
  '; # #59; #quot; &lt; " \' ` %% %%{init:{"theme":"dark"}}%% end END End ->> -->> : :wrap: nowrap: + - () @{ } ' +
  '<b> <script>alert(1)</script> <br/> $$x$$ --- style:#x; style classDef:#b; ﬂ°°59¶ß ﬂ° ¶ß par and as title ' +
  'accTitle: participant actor Note over p0 p0->>p0:x sequenceDiagram activate rect opt …';
const blanks = ['\n', '\r\n', ' ', '\u2028', '\u00a0', '\ufeff', '\u0000', '\u202e', '\u200d', '\u{1f469}'];
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/\p{Surrogate}/u.test(text)),
      fc.constantFrom(...words.split(' ')),
      fc.constantFrom(...blanks),
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join(''));

const cut = (text: string, most: number): string => {
  const all = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return [...all.slice(0, most), ...(all.length > most ? ['…'] : [])]
    .join('')
    .replaceAll(/\p{C}/gu, '\ufffd');
};
const labelOf = ({ state, explanation }: UpFormatMessage): string =>
  cut(explanation, 80) === '' ? state : `${state}: ${cut(explanation, 80)}`;

const nameOf = ({ agentId = '' }: UpFormatMessage): string => cut(agentId, 40) || 'agent';

const approves = { type: 'approve' as const, target: uuid(2) };

describe('A thread as a Mermaid sequence diagram', () => {
  it('has agents and people, a note for each root and an arrow from each answer to its question', () => {
    const { threads } = lineageOf([
      messageOf({ id: 1, agentId: 'writer', explanation: '' }),
      messageOf({
        id: 2,
        answers: 1,
        agentId: 'writer',
        state: 'needsHumanDecision',
        explanation: 'Send it; now?',
      }),
      messageOf({ id: 3, answers: 2, agentId: 'dana', upFeedback: approves, explanation: 'Yes.' }),
      messageOf({ id: 4, answers: 3, state: 'completed', explanation: 'the end' }),
      messageOf({ id: 5, answers: 4, upFeedback: approves, agentId: ' ', explanation: '\n' }),
    ]);
    expect(toMermaid(threads[0]!)).toMatchInlineSnapshot(`
      "sequenceDiagram
        participant p0 as writer
        actor p1 as dana
        participant p2 as agent
        actor p3 as person
        Note over p0: submitted
        p0->>p0: needsHumanDecision: Send it#59; now?
        p1->>p0: submitted: Yes.
        p2->>p1: completed: the #101;nd
        p3->>p2: submitted
      "
    `);
    expect(toMermaid({ threads, findings: [] })).toBe(toMermaid(threads[0]!));
  });

  it('has all threads of a lineage side by side', async () => {
    const given = lineageOf([
      messageOf({ id: 1 }),
      messageOf({ id: 2, thread: 1 }),
      messageOf({ id: 3, thread: 2 }),
      messageOf({ id: 4, answers: 1 }),
    ]);
    const { lines } = await readBy(toMermaid(given));
    expect(lines.map(({ kind, shown }) => [kind, shown])).toEqual([
      [PAR_START, `thread ${uuid(1_000_000)}`],
      [NOTE, 'submitted: number 1'],
      [SOLID, 'submitted: number 4'],
      [PAR_AND, `thread ${uuid(1_000_001)}`],
      [NOTE, 'submitted: number 2'],
      [PAR_AND, `thread ${uuid(1_000_002)}`],
      [NOTE, 'submitted: number 3'],
      [PAR_END, ''],
    ]);
    expect((await readBy(toMermaid(lineageOf([])))).lines).toEqual([]);
  });

  it('is ordered by time across branches, with each child below its parent', async () => {
    const given = lineageOf([
      messageOf({ id: 1, second: 1 }),
      messageOf({ id: 2, answers: 1, second: 2 }),
      messageOf({ id: 3, answers: 1, second: 3 }),
      messageOf({ id: 4, answers: 2, second: 4 }),
      messageOf({ id: 5, answers: 3, second: 0 }),
    ]);
    const { said } = await readBy(toMermaid(given));
    expect(said.map(({ shown }) => shown.at(-1))).toEqual(['1', '2', '3', '5', '4']);
  });

  it('keeps the order of the lineage for equal times', async () => {
    const given = lineageOf(
      [1, 2, 3, 4, 5].map((id) => messageOf({ id, second: 0, ...(id > 2 && { answers: 1 }) })),
    );
    const { said } = await readBy(toMermaid(given));
    expect(said.map(({ shown }) => shown.at(-1))).toEqual(['1', '3', '4', '5', '2']);
  });

  it('shows a sender of feedback alone as a person', async () => {
    const given = lineageOf([
      messageOf({ id: 1, agentId: 'dana', upFeedback: approves }),
      messageOf({ id: 2, agentId: 'critic', upFeedback: approves }),
      messageOf({ id: 3, agentId: 'critic' }),
      messageOf({ id: 4, agentId: 'critic', upFeedback: approves }),
    ]);
    expect((await readBy(toMermaid(given))).actors).toEqual([
      { name: 'p0', shown: 'dana', kind: 'actor' },
      { name: 'p1', shown: 'critic', kind: 'participant' },
    ]);
  });

  it('of 100,000 chained messages has each of them', () => {
    const many = Array.from({ length: 100_000 }, (_, id) =>
      messageOf({ id, ...(id > 0 && { answers: id - 1 }) }),
    );
    expect(toMermaid(lineageOf(many)).match(/: submitted: number \d+$/gm)?.length).toBe(many.length);
  });
});

describe('For random messages, Mermaid parses', () => {
  it('each message once, between its senders, with its text as plain text', async () => {
    const seen = { messages: 0, coded: 0 };
    const part = fc.record({ agentId: hostile, explanation: hostile, answers: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const messages = parts.map(({ answers, ...said }, id) =>
          messageOf({ id, ...said, ...(answers < id && { answers }) }),
        );
        const text = toMermaid(lineageOf(messages));
        expect(text).toMatch(/^[\p{L}\p{M}\p{N}#;:>.?! ,\n-]*$/u);
        const { actors, said, lines } = await readBy(text);
        expect(lines).toEqual(said);
        const shownAs = new Map(actors.map(({ name, shown }) => [name, shown]));
        expect(
          said.map(({ kind, from = '', to = '', shown }) => [
            kind,
            shownAs.get(from),
            shownAs.get(to),
            shown,
          ]),
        ).toEqual(
          messages.map((message, id) => {
            const { answers } = parts[id]!;
            const [kind, parent] = answers < id ? [SOLID, messages[answers]!] : [NOTE, message];
            return [kind, nameOf(message), nameOf(parent), labelOf(message)];
          }),
        );
        seen.messages += said.length;
        seen.coded += text.match(/#\d+;/g)?.length ?? 0;
      }),
      runs(150),
    );
    expect(seen.messages).toBeGreaterThan(150);
    expect(seen.coded).toBeGreaterThan(500);
  });

  it('the same diagram, whatever the payloads are', () => {
    const texts = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(readable, { maxLength: 5 }), texts, (messages, payload) => {
        const renamed = messages.map((message) => ({ ...message, payload: { 'acme:renamed': payload } }));
        const text = toMermaid(lineageOf(messages));
        expect(toMermaid(lineageOf(renamed))).toBe(text);
        expect(toMermaid(lineageOf(structuredClone(messages)))).toBe(text);
      }),
      runs(100),
    );
  });
});
