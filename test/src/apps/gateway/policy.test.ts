import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { desk, did, person, stand } from './stand.ts';

const charter = `
servers:
  shop: { command: node, args: [shop.mjs] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { tier: write_high_risk, rollback: person }
  shop.remind: { tier: write_low_risk, rollback: { tool: cancel_refund, arguments: { order: /arguments/order } }, repeats: true }
  shop.cancel_refund: { tier: write_low_risk }
policy: { cedar: ./rules.cedar }
`;
const cedar = `
@reason("the desk may")
permit (principal == Agent::"local", action == Action::"call", resource)
  when { context.arguments.order != "o-vip" };
@reason("the till is sealed")
forbid (principal, action, resource == Tool::"shop.cancel_refund");
`;
const module = `
export default {
  decide: ({ action, arguments: { order } }) =>
    action === 'shop.remind'
      ? { verdict: order === 'o-vip' ? 'needs_review' : 'allow', reasons: ['as the module says'] }
      : { verdict: 'deny', reasons: ['no more today'] },
};
`;

/** A folder with a charter, and files of a policy beside it. */
const standWith = async (files: Readonly<Record<string, string>>, file = charter): Promise<string> => {
  const folder = await stand(file);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

const inModule = (name: string): string => charter.replace('cedar: ./rules.cedar', `module: ./${name}`);

describe('A policy in Cedar', () => {
  it('decides on writes, and a call that it denies ends alone: what was written before it stays', async () => {
    const folder = await standWith({ 'rules.cedar': cedar });
    const { call, said } = await desk(folder);
    const order = 'o-7';
    expect(await call('shop_remind', { order })).toMatchObject({ text: 'reminded o-7', isError: false });
    for (const [tool, given, why] of [
      ['shop_cancel_refund', { order }, 'the till is sealed'],
      ['shop_remind', { order: 'o-vip' }, 'no policy permits shop.remind'],
    ] as const)
      expect(await call(tool, given)).toEqual({
        text: expect.stringContaining(why) as string,
        isError: true,
        structured: undefined,
      });
    await call('shop_refund', { order, cents: 5 });
    const { answer } = await person(said);
    expect(await answer({ type: 'approve' })).toBe(200);
    expect((await call('shop_refund', { order, cents: 5 })).text).toBe('refunded 5');
    expect(await did(folder)).toEqual(['reminded o-7', 'refunded o-7 5']);
  });

  it('stops nothing in the shadow', async () => {
    const folder = await standWith({ 'rules.cedar': cedar });
    const { call, leave } = await desk(folder, { flags: ['--shadow'] });
    expect((await call('shop_cancel_refund', { order: 'o-7' })).text).toBe('cancelled');
    await leave();
    const { stdout } = await command('gateway charter.yaml --report', { cwd: folder });
    expect(stdout).toContain('shop_cancel_refund  1      refused   the till is sealed\n');
  });

  it('of a server that is down leaves the others alone', async () => {
    const till = `  till: { command: node, args: [none.mjs] }\ntools:\n  till.open: { rollback: person }`;
    const rules = `${cedar} forbid (principal, action, resource == Tool::"till.open");`;
    const { call } = await desk(await standWith({ 'rules.cedar': rules }, charter.replace('tools:', till)));
    expect((await call('shop_remind', { order: 'o-7' })).text).toBe('reminded o-7');
  });

  it('needs its engine: without it, the error has the line that installs it', async () => {
    const without = `const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) => {
        if (name.startsWith('@cedar-policy/')) throw new Error('no such package');
        return resolve(name, ...rest);
      };`;
    const folder = await standWith({ 'rules.cedar': cedar, 'without.cjs': without });
    const env = { NODE_OPTIONS: `--require ${join(folder, 'without.cjs')}` };
    await expect(desk(folder, { env })).rejects.toThrow(
      'charter.yaml:9:11: policy.cedar: rules.cedar: needs its engine: npm install @cedar-policy/cedar-wasm',
    );
  });
});

describe('A policy in a module', () => {
  it.each(['policy.mjs', 'policy.ts'])('decides on writes, from %s', async (name) => {
    const folder = await standWith({ [name]: module }, inModule(name));
    const env = name.endsWith('.ts') ? { NODE_OPTIONS: '--import tsx' } : {};
    const { call } = await desk(folder, { env });
    expect((await call('shop_remind', { order: 'o-7' })).text).toBe('reminded o-7');
    expect((await call('shop_remind', { order: 'o-vip' })).text).toContain('It waits for operator');
    const refused = await call('shop_refund', { order: 'o-7', cents: 5 });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('no more today') as string,
    });
    expect(await did(folder)).toEqual(['reminded o-7']);
  });
});

it.each([
  ['throws', `throw new Error('the vault is shut')`, 'the policy failed: Error: the vault is shut'],
  ['decides nothing valid', `return { verdict: 'perhaps', reasons: [] }`, 'the policy failed: '],
])(
  'A policy in a module that %s refuses the call alone: what was written before it stays',
  async (_, fails, why) => {
    const decide = `decide: ({ arguments: { order } }) => {
    if (order === 'o-fail') ${fails};
    return { verdict: 'allow', reasons: ['fine'] };
  }`;
    const folder = await standWith({ 'policy.mjs': `export default { ${decide} };` }, inModule('policy.mjs'));
    const { call, said } = await desk(folder);
    for (const order of ['o-1', 'o-fail', 'o-2']) {
      const { text, isError } = await call('shop_remind', { order });
      expect(isError).toBe(order === 'o-fail');
      expect(text).toContain(isError ? why : `reminded ${order}`);
    }
    expect(said()).toContain(`shop.remind: ${why}`);
    expect(await did(folder)).toEqual(['reminded o-1', 'reminded o-2']);
  },
);

describe('--check', () => {
  it('names the policy that decides', async () => {
    const folder = await standWith({ 'rules.cedar': cedar });
    const { stdout } = await command('gateway charter.yaml --check', { cwd: folder });
    expect(stdout).toContain(
      'write_high_risk  waits for operator, unless ./rules.cedar refuses it; a person',
    );
    expect(stdout).toContain('write_low_risk   ./rules.cedar decides; cancel_refund undoes it');
  });

  it.each([
    ['{ cedar: ./none.cedar }', '9:11: policy.cedar: cannot be read: Error: ENOENT'],
    ['{ cedar: ./broken.cedar }', '9:11: policy.cedar: broken.cedar: unexpected token'],
    ['{ cedar: ./broken.cedar }', 'Expected policies such as permit (principal, action, resource == Tool::'],
    [
      '{ cedar: ./other.cedar }',
      '9:11: policy.cedar: its rule "policy0": no tool "shop.refnd" is exposed. Did you mean "shop.refund"?',
    ],
    ['{ module: ./none.mjs }', '9:11: policy.module: cannot be loaded: Error: '],
    [
      '{ module: ./thrower.mjs }',
      '9:11: policy.module: cannot be loaded: Error: the vault is shut. Expected a module whose',
    ],
    [
      '{ module: ./named.mjs }',
      '9:11: policy.module: named.mjs has no default export. Expected a module whose default export is a policy: an object { decide }',
    ],
    [
      '{ module: ./number.mjs }',
      '9:11: policy.module: number.mjs has another default export. Expected a module',
    ],
    [
      '{ module: ./ruled.mjs }',
      '9:11: policy.module: ruled.mjs has another default export. Expected a module',
    ],
    ['{ ceder: ./rules.cedar }', '9:11: policy: unknown key "ceder". Did you mean "cedar"?'],
    ['{ cedar: ./rules.cedar, module: ./a.mjs }', '9:1: policy must have one of `cedar` and `module`'],
    [
      '[{ tools: [shop.refund], verdict: no, reason: no }]',
      '9:34: policy[0].verdict must be one of "allow", "needs_review", "deny"',
    ],
    ['forbid', '9:1: policy must be'],
  ])('refuses %s with its place, and says what is accepted', async (written, says) => {
    const files = {
      'broken.cedar': 'permit (principal, action resource);',
      'other.cedar': 'forbid (principal, action, resource == Tool::"shop.refnd");',
      'thrower.mjs': `throw new Error('the vault is shut');`,
      'named.mjs': 'export const policy = {};',
      'number.mjs': 'export default 7;',
      'ruled.mjs': 'export default { decide: () => null, ruleNames: 7 };',
    };
    const folder = await standWith(files, charter.replace('{ cedar: ./rules.cedar }', written));
    const { code, stdout, stderr } = await command('gateway charter.yaml --check', { cwd: folder });
    expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: '' });
    expect(stderr).toContain(`charter.yaml:${says}`.replace('charter.yaml:Expected', 'Expected'));
  });
});
