import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call as command } from '../cli/call.ts';
import { charter, desk, did, person, stand } from './stand.ts';

const check = async (file: string, env: Readonly<Record<string, string>> = {}) => {
  const folder = await stand(file);
  return command('gateway charter.yaml --check', { cwd: folder, env });
};

describe('A file with a mistake is refused with its line, its column and what is near', () => {
  it.each([
    [
      'shop.refund: { tier: write_high_risk',
      'shop.refund: { teir: write_high_risk',
      ':6:18: tools["shop.refund"]: unknown key "teir". Did you mean "tier"?',
    ],
    [
      'tier: read_only',
      'tier: readonly',
      ':5:22: tools["shop.find_order"].tier must be one of "read_only", "write_low_risk", "write_high_risk", was "readonly". Did you mean "read_only"?',
    ],
    [
      'shop.refund:',
      'shop.refnd:',
      ':6:3: tools["shop.refnd"]: server shop has no tool "refnd". Did you mean "refund"?',
    ],
    ['shop.refund:', 'shpo.refund:', ':6:3: tools["shpo.refund"]: no server "shpo". Did you mean "shop"?'],
    ['shop.refund:', 'refund:', ':6:3: tools.refund: "refund" must name a server too, such as "server.tool"'],
    ['rollback: person', 'rollback: { tool: cancel_refnd }', 'Did you mean "cancel_refund"?'],
    [
      'rollback: person',
      'rollback: { tool: cancel_refund, arguments: { order: /arguments/order, ordr: /arguments/order } }',
      ':6:112: tools["shop.refund"].rollback.arguments.ordr: cancel_refund has no argument "ordr". Did you mean "order"?',
    ],
    [
      'rollback: person',
      'rollback: { tool: cancel_refund, arguments: { order: /arguments/order, cents: /arguments/cents } }',
      'rollback.arguments.cents: cancel_refund has no argument "cents". It has order',
    ],
    [
      'rollback: person',
      'rollback: { tool: cancel_refund, arguments: {} }',
      ':6:74: tools["shop.refund"].rollback.arguments: cancel_refund requires "order": add where its value is in the arguments of the call, such as order: /arguments/order',
    ],
    [
      'rollback: person',
      'rollback: { tool: cancel_refund }',
      ':6:41: tools["shop.refund"].rollback.arguments: cancel_refund requires "order"',
    ],
    ['rollback: person', 'rollback: nobody', ':6:41: tools["shop.refund"].rollback must be'],
    ['servers:', 'serverz:', ':2:1: unknown key "serverz". Did you mean "servers"?'],
    ['command: node', 'comand: node', ':3:11: servers.shop: unknown key "comand". Did you mean "command"?'],
    ['args: [shop.mjs]', 'args: [shop.mjs', ':3:42: Flow sequence'],
    ['servers:', 'people: []\nservers:', ':2:1: people must be'],
    [
      'servers:',
      'policy: [{ tools: [shop.find_order], verdict: deny, reason: no }]\nservers:',
      ':2:20: policy[0].tools[0]: names a tool that is read_only: no one is asked about reads.',
    ],
    [
      'servers:',
      'policy: [{ tools: [shop.refnd], verdict: deny, reason: no }]\nservers:',
      ':2:20: policy[0].tools[0]: no tool "shop.refnd" is exposed. Did you mean "shop.refund"?',
    ],
    [
      'servers:',
      'beforeDeliver: { evidence: [{ type: tool_result, tool: shop.find_ordr }] }\nservers:',
      'no tool "shop.find_ordr" is exposed. Did you mean "shop.find_order"?',
    ],
    ['servers:', 'people: [local]\nservers:', 'is the owner or a client, who may not approve its own calls'],
    ['servers:', 'clients: [{ name: a }, { name: a }]\nservers:', 'another client has this name'],
    [
      'servers:',
      'clients: [{ name: desk, token: secret }]\nservers:',
      ':2:25: clients[0].token must name an environment variable, such as ${DESK_TOKEN}',
    ],
    [
      'args: [shop.mjs]',
      'args: [shop.mjs], env: { KEY: "${SHOP_KEY}" }',
      ':3:51: servers.shop.env.KEY: needs the environment variable SHOP_KEY, which is not set',
    ],
  ])('%s as %s', async (right, wrong, says) => {
    const { code, stdout, stderr } = await check(charter.replace(right, wrong));
    expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: '' });
    expect(stderr).toContain(`charter.yaml`);
    expect(stderr).toContain(says);
  });

  it('and each of several mistakes has its own', async () => {
    const { stderr } = await check(
      charter.replace('tier: read_only', 'tear: read_only').replace('person', 'me'),
    );
    expect(stderr.split('\n').filter((line) => /charter\.yaml:\d+:\d+: /.test(line))).toHaveLength(2);
  });

  it('and one that is not there says so', async () => {
    const { code, stderr } = await command('gateway none.yaml', { cwd: await stand() });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.yaml: cannot be read'),
    });
  });
});

describe('--check', () => {
  it('prints what is exposed to whom, what happens to a call, and the line that exposes the rest', async () => {
    const { code, stdout, stderr } = await check(charter);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout)
      .toBe(`TOOL             CLIENTS  TIER             A CALL                                          RULE
shop_find_order  local    read_only        is called                                       default
shop_refund      local    write_high_risk  waits for operator; a person undoes it by hand  default

Left out. To expose one, add its line under \`tools\`:
  shop.cancel_refund: { tier: write_high_risk, rollback: person }  # it is not under \`tools\`
  shop.remind: { tier: write_high_risk, rollback: person }  # it is not under \`tools\`
`);
  });

  it('knows clients, rules and rollbacks, and says what a tool lacks', async () => {
    const { stdout } = await check(
      `
servers:
  shop: { command: node, args: [shop.mjs], env: { KEY: "\${KEY}" } }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { rollback: { tool: cancel_refund, arguments: { order: /arguments/order } } }
  shop.cancel_refund: { tier: write_low_risk }
  shop.remind: {}
policy:
  - { tools: [shop.cancel_refund], verdict: allow, reason: it costs nothing }
  - { tools: [shop.*], verdict: allow, reason: the desk may }
clients:
  - { name: desk, token: "\${DESK}" }
  - { name: reader, token: "\${READER}", tools: [shop.find_order] }
people: [dana, kim]
`,
      { KEY: 'a key' },
    );
    expect(stdout)
      .toBe(`TOOL                CLIENTS       TIER             A CALL                                          RULE
shop_find_order     desk, reader  read_only        is called                                       default
shop_refund         desk          write_high_risk  waits for dana or kim; cancel_refund undoes it  the desk may
shop_cancel_refund  desk          write_low_risk   is called                                       it costs nothing; the desk may

CLIENT  SEES
desk    shop_find_order, shop_refund, shop_cancel_refund, charter_begin, charter_conclude, charter_progress
reader  shop_find_order, charter_begin, charter_conclude, charter_progress

Left out. To expose one, add its line under \`tools\`:
  shop.remind: { tier: write_high_risk, rollback: person }  # it is write_high_risk and says no rollback
`);
  });

  it('says which server does not start, with exit code 1', async () => {
    const { code, stdout } = await check(charter.replace('shop.mjs', 'none.mjs'));
    expect(code).toBe(1);
    expect(stdout).toContain('server shop does not start');
  });

  it('lets annotations choose for a server that is trusted', async () => {
    const { stdout } = await check(
      'servers:\n  shop: { command: node, args: [shop.mjs], isTrusted: true }\n',
    );
    expect(stdout).toContain('shop_find_order  local    read_only  is called');
    expect(stdout).toContain('shop.refund: { tier: write_high_risk, rollback: person }');
  });
});

describe('A rule in --check', () => {
  it('is that of the verdict that decides', async () => {
    const tools =
      'tools:\n  shop.remind: { tier: write_low_risk }\n  shop.cancel_refund: { tier: write_low_risk }';
    const { stdout } = await check(`${charter.replace('tools:', tools)}
policy:
  - { tools: [shop.*], verdict: allow, reason: the desk may }
  - { tools: [shop.refund], verdict: deny, reason: the till is sealed }
  - { tools: [shop.remind], verdict: needs_review, reason: not too often }
`);
    expect(stdout).toMatch(/^shop_refund .* is refused; a person undoes it by hand +the till is sealed$/m);
    expect(stdout).toMatch(/^shop_remind .* waits for operator +not too often$/m);
    expect(stdout).toMatch(/^shop_cancel_refund .* is called +the desk may$/m);
  });
});

describe('The command line', () => {
  it('answers a question with the file as its configuration', async () => {
    const folder = await stand();
    const { call } = await desk(folder);
    const refund = { order: 'o-7', cents: 500 };
    await call('shop_refund', refund);
    const { stdout } = await command('inbox --store .agentcharter/tasks.db --json', { cwd: folder });
    const [question] = (JSON.parse(stdout) as { questions: { message: { messageId: string } }[] }).questions;
    const id = question?.message.messageId;
    const other = await command(`decide ${id} --approve --as nobody --config charter.yaml`, { cwd: folder });
    expect(other.code).toBe(1);
    const decided = await command(`decide ${id} --approve --as operator --config charter.yaml`, {
      cwd: folder,
    });
    expect(decided).toMatchObject({ code: 0, stderr: expect.any(String) });
    await expect.poll(() => did(folder)).toEqual(['refunded o-7 500']);
    expect((await call('shop_refund', refund)).text).toBe('refunded 500');
  });

  it('writes nothing beside the folder of the records', async () => {
    const folder = await stand();
    await writeFile(join(folder, 'mine.txt'), '');
    const { call, leave, said } = await desk(folder);
    await call('shop_refund', { order: 'o-7', cents: 1 });
    await (await person(said)).answer({ type: 'reject' });
    await leave();
    expect((await readdir(folder)).toSorted()).toEqual([
      '.agentcharter',
      'charter.yaml',
      'mine.txt',
      'node_modules',
      'shop.mjs',
    ]);
  });
});
