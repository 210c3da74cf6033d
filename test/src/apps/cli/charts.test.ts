import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

let cwd: string;
beforeAll(async () => {
  cwd = await folder();
});
afterAll(removeFolders);
const on = (line: string) => call(line, { cwd });
const module = async (name: string, text: string): Promise<string> => {
  await writeFile(join(cwd, name), text);
  return name;
};
const json = async (line: string): Promise<unknown> => JSON.parse((await on(line)).stdout);

/** The chart of the examples, with a mistake: a reminder reopens what was paid. */
const mistaken = async (): Promise<string> => {
  const text = await readFile(join(cwd, 'invoice.js'), 'utf8');
  const changed = text.replace('paid: { on: {} }', `paid: { on: { remind: 'lost' } }, lost: {}`);
  return module('mistaken.js', changed.replace(`{ type: 'pay' }]`, `{ type: 'pay' }, { type: 'remind' }]`));
};

describe('check', () => {
  it('ends with 1 when a property is broken, with a shortest run and a test to paste', async () => {
    const { code, stdout } = await on(`check ${await mistaken()}`);
    expect(code).toBe(1);
    expect(stdout).toContain('it can always be paid: broken');
    expect(stdout).toContain('remind');
    expect(stdout).toContain('test("it can always be paid", () => {');
    expect(stdout).toMatch(/properties: 1, 1 broken; states: 4; steps: 3\n$/);
    expect(await json('check mistaken.js --json')).toMatchObject({
      holds: false,
      properties: 1,
      broken: [{}],
    });
  });

  it.each(['task', 'execution', 'world.js'])(
    'checks %s against the properties of our chart',
    async (chart) => {
      const found = await json(`check ${chart} --json`);
      expect(found).toMatchObject({ holds: true, broken: [] });
      const { states, properties } = found as { states: number; properties: number };
      expect(states).toBeGreaterThan(20);
      expect(properties).toBeGreaterThan(20);
    },
  );

  it('refuses a module without properties', async () => {
    const text = (await readFile(join(cwd, 'invoice.js'), 'utf8')).replace(
      'export const properties',
      'const _none',
    );
    const { code, stderr } = await on(`check ${await module('unasked.js', text)}`);
    expect(code).toBe(2);
    expect(stderr).toContain('expected `properties`');
  });

  it.each([
    ['invoice.js --limit 1', 1, 'more than 1 states'],
    ['invoice.js --limit 0', 2, '--limit: expected a whole number of at least 1'],
    ['answers.json', 2, 'answers.json'],
    ['charter.js', 2, 'a machine as default export'],
  ])('%s ends with %i', async (line, code, said) => {
    const found = await on(`check ${line}`);
    expect(found.code).toBe(code);
    expect(found.stderr).toContain(said);
  });
});

describe('paths', () => {
  it('prints a shortest path to each state, or to the selected ones', async () => {
    expect((await on('paths invoice.js')).stdout).toBe(
      '1. open\n   at the start\n2. approved\n   approve\n3. paid\n   approve -> pay\n',
    );
    const { stdout } = await on('paths task --to completed');
    const ends = [...stdout.matchAll(/^ *(\d+)\. (.*)$/gm)];
    expect(ends.length).toBeGreaterThan(5);
    expect(ends.map(([, number]) => Number(number))).toEqual(ends.map((_, at) => at + 1));
    for (const [, , state] of ends) expect(state).toMatch(/^completed\./);
  });

  it('shows the members in which events of a type differ, and no UUID', async () => {
    const { stdout } = await on('paths task --most 12');
    expect(stdout.split('\n').slice(12)).toEqual([
      ' 7. failed',
      '    deadline.passed (of accept, id 3f2504e0…)',
      ' 8. needsHumanDecision',
      '    request.accepted -> information.requested',
      ' 9. submitted.execute.calling',
      '    request.accepted -> plan.proposed (confidence 0.9)',
      '10. needsHumanDecision',
      '    request.accepted -> plan.proposed (confidence 0.5)',
      '11. failed',
      '    request.accepted -> capability.exceeded',
      '12. failed',
      '    request.accepted -> deadline.passed (of model, id 0.0.0.0.0)',
      '',
    ]);
    const events = `[
      { type: 'approve', by: 'eve', on: { day: 1 }, sum: 7 },
      { type: 'approve', by: 'eve', on: { day: 2 }, sum: 7, note: { of: 'dana' } },
      { type: 'pay', sum: 7 },
    ]`;
    const text = await readFile(join(cwd, 'invoice.js'), 'utf8');
    const name = await module('noted.js', text.replace(/events = .*;/, `events = ${events};`));
    expect((await on(`paths ${name} --kind simple`)).stdout).toContain('approve (on {"day":2}, note)\n');
  });

  it.each([40, 120])('wraps the steps to the width of the terminal (%i)', async (columns) => {
    const line = 'paths task --to completed --most 5';
    const { stdout } = await call(line, { cwd, isTerminal: true, columns });
    const lines = stdout.split('\n');
    const steps = lines.filter((one) => one.startsWith('   ')).map((one) => one.split(' -> ').length);
    expect(Math.max(...steps)).toBeGreaterThan(columns === 40 ? 0 : 3);
    const joined = lines.filter((one) => one.slice(4).includes(' -> '));
    for (const one of joined) expect(one.length).toBeLessThanOrEqual(columns);
  });

  it('prints every path without a cycle, or enough to cover every step', async () => {
    expect(await json('paths invoice.js --kind simple --json')).toMatchObject({
      paths: [{}, {}, {}],
      isMore: false,
    });
    expect(await json('paths invoice.js --kind cover --json')).toMatchObject({
      states: 3,
      steps: 2,
      paths: [{ state: 'paid', events: [{ type: 'approve' }, { type: 'pay' }] }],
    });
  });

  it('prints at most the given number, and says that there are more', async () => {
    const { stdout, stderr } = await on('paths invoice.js --most 2');
    expect(stdout).toBe('1. open\n   at the start\n2. approved\n   approve\n');
    expect(stderr).toContain('There are more: --most 20');
  });

  it('names the known states for an unknown one', async () => {
    const { code, stderr } = await on('paths invoice.js --to payd');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'agentcharter: no path leads to payd: the states are approved, open, paid\n',
    });
  });
});

describe('render', () => {
  it('draws a chart as docs/charts shows it', async () => {
    const { stdout } = await on('render execution --format svg');
    const file = new URL('../../../../docs/charts/execution.svg', import.meta.url);
    expect(stdout).toBe(await readFile(file, 'utf8'));
  });

  it.each(['mermaid', 'json', 'xstate', 'svg'])(
    'writes the same %s to standard output and to a file',
    async (format) => {
      const { code, stdout } = await on(`render invoice.js --format ${format}`);
      expect(code).toBe(0);
      expect(stdout).toContain('approved');
      expect(await on(`render invoice.js --format ${format} --out chart.txt`)).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(await readFile(join(cwd, 'chart.txt'), 'utf8')).toBe(stdout);
    },
  );

  it('writes a document raw to a program, and escaped to a terminal', async () => {
    const text = (await readFile(join(cwd, 'invoice.js'), 'utf8')).replace(
      "id: 'invoice',",
      `id: 'invoice', description: '\\u001b[2J a\u200db',`,
    );
    const line = `render ${await module('described.js', text)} --format xstate`;
    expect((await on(`${line} --out described.txt`)).code).toBe(0);
    const written = await readFile(join(cwd, 'described.txt'), 'utf8');
    expect(written).toContain('a\u200db');
    expect((await on(line)).stdout).toBe(written);
    expect((await call(line, { cwd, isTerminal: true })).stdout).toContain('\\u200d');
  });

  it('writes a png to a file or a pipe, and never to a terminal', async () => {
    expect((await on('render invoice.js --format png --out chart.png')).code).toBe(0);
    expect((await readFile(join(cwd, 'chart.png'))).subarray(1, 4).toString()).toBe('PNG');
    const shown = await call('render invoice.js --format png', { cwd, isTerminal: true });
    expect(shown).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('conformance', () => {
  it('ends with 1 and lists the broken rules and their causes', async () => {
    const subject = `import { capabilities } from 'agentcharter/testing';
      const result = { outcome: 'success', reasonCodes: [], payload: {} };
      const documents = { envelopes: [], evidence: [], reports: [], audit: [], chunks: [], result };
      export default () => ({
        name: 'careless',
        lacks: capabilities,
        start: () => ({ state: async () => 'taken', quiet: async () => {}, phase: () => 'deliver', documents: () => documents }),
      });`;
    const { code, stdout } = await on(`conformance ${await module('careless.js', subject)}`);
    expect(code).toBe(1);
    expect(stdout).toContain('# careless and UAICP v0.3');
    expect(stdout).toContain('## Broken rules');
    expect(await json('conformance careless.js --json')).toMatchObject({
      subject: 'careless',
      counts: { notOffered: expect.any(Number) as number },
    });
  });

  it('ends with 1 if a rule is not shown and none is broken', async () => {
    const mute = `import { plain } from '${root}test/src/testing/conformance/plain/subject.ts';
      const start = async (scenario) => {
        const run = await plain().start(scenario);
        const documents = () => ({ ...run.documents(), chunks: [] });
        return { documents, phase: () => run.phase(), quiet: () => run.quiet(), state: (fact) => run.state(fact) };
      };
      export default { ...plain(), start };`;
    await module('mute.js', mute);
    expect(await json('conformance mute.js --json')).toMatchObject({ counts: { broken: 0, notShown: 3 } });
    expect((await on('conformance mute.js')).code).toBe(1);
  });

  it('refuses a call without a subject', async () => {
    expect(await on('conformance charter.js')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a Subject'),
    });
  });
});

describe('schema', () => {
  it('ends with 1 for an invalid document, and says where it does not fit', async () => {
    await module('wrong.json', '{"type":"aprove","target":"x"}');
    const { code, stdout } = await on('schema check up-feedback wrong.json');
    expect(code).toBe(1);
    expect(stdout).toContain('wrong.json: not valid as up-feedback\n');
    expect(await json('schema check up-feedback wrong.json --json')).toMatchObject({
      valid: false,
      issues: [{}],
    });
    expect(await call('schema check phase -', { input: '"plan"' })).toMatchObject({ code: 0 });
  });

  it.each(['{"type":', '{"a":1,"a":2}', ''])('reports that %j is no document', async (input) => {
    expect(await call('schema check up-feedback -', { input })).toMatchObject({ code: 1, stderr: '' });
  });

  it('prints the schema that the package contains', async () => {
    const kept: unknown = JSON.parse(await readFile('schema/json/up-feedback.schema.json', 'utf8'));
    expect(await json('schema print up-feedback')).toEqual(kept);
    expect(await json('schema print up-feedback --json')).toEqual(kept);
  });

  it('lists every document with a schema', async () => {
    const { jsonSchemas } = await import('../../../../schema/index.ts');
    const { schemas } = (await json('schema list --json')) as { schemas: { name: string }[] };
    expect(schemas.map(({ name }) => name)).toEqual(Object.keys(jsonSchemas()));
    for (const name of Object.keys(jsonSchemas())) expect((await on(`schema print ${name}`)).code).toBe(0);
  });
});
