import { access, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OmittedTools } from '../../../../src/base/define/omitted.ts';
import { mcpTools, type McpContract } from '../../../../src/adapters/mcp/index.ts';
import { call } from '../../core/shell/scripted.ts';
import { fixtureOf, spawned, type FixtureOptions } from './fixture.ts';

const Move = (input: Record<string, unknown>) => ({
  source: String(input['source']),
  destination: String(input['destination']),
});

describe.each([['second'], ['first']] as const)('server-filesystem behind the %s SDK', (sdk) => {
  let root: string;
  let client: Awaited<ReturnType<typeof spawned>>;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'mcp-')));
    client = await spawned('server-filesystem', [root], (clients) => clients[sdk]);
  });
  afterAll(async () => {
    await client.close();
    await rm(root, { recursive: true });
  });

  const move: McpContract = {
    rollback: {
      describe: (input) => {
        const { source, destination } = Move(input);
        const payload = { source: destination, destination: source };
        return { type: 'fs.move_file', target: destination, payload };
      },
      run: async ({ payload }) => client.callTool({ name: 'move_file', arguments: Move(Object(payload)) }),
    },
  };

  const setUp = async (given: (at: string) => FixtureOptions) => {
    const at = await mkdtemp(join(root, 'desk-'));
    await writeFile(join(at, 'a.txt'), 'ledger of the year');
    const tools = await mcpTools(client, { server: 'fs', isTrusted: true, contracts: { move_file: move } });
    return { at, ...fixtureOf(tools, given(at)) };
  };

  it('has the tiers of its annotations, all high when it is not trusted', async () => {
    const omitted: OmittedTools[] = [];
    const offered = (isTrusted: boolean) =>
      mcpTools(client, {
        server: 'fs',
        isTrusted,
        contracts: { move_file: move },
        onOmitted: (told) => omitted.push(told),
      });
    const tools = await offered(true);
    const of = (wanted: string) => tools.filter(({ tier }) => tier === wanted).map(({ name }) => name);
    expect(of('write_high_risk')).toEqual(['fs.move_file']);
    expect(of('write_low_risk')).toEqual(['fs.create_directory']);
    expect(of('read_only').length).toBe(10);
    expect(omitted.splice(0).map(({ names }) => names)).toEqual([['write_file', 'edit_file']]);
    const doubted = await offered(false);
    expect(doubted.map(({ name, tier, doubt }) => [name, tier, doubt])).toEqual([
      ['fs.move_file', 'write_high_risk', 'unsafe'],
    ]);
    expect(omitted.map(({ names }) => names.length)).toEqual([tools.length + 1]); // all but the one that is undone
  });

  it('reads a file for a governed task, with the content as evidence', async () => {
    const { orchestrator, submit, evidence } = await setUp((at) => ({
      calls: [call('fs.read_text_file', { path: join(at, 'a.txt') })],
      taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'fs.read_text_file' }] } },
    }));
    const taskId = await submit();
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect((await evidence(taskId)).map(({ source, payload }) => [source, payload])).toEqual([
      [
        'fs.read_text_file',
        {
          server: 'fs',
          tool: 'read_text_file',
          isUntrusted: false,
          structured: { content: 'ledger of the year' },
        },
      ],
    ]);
  });

  it('is not asked to write after the policy denied it', async () => {
    const { orchestrator, submit, at } = await setUp((path) => ({
      calls: [call('fs.create_directory', { path: join(path, 'new') })],
      options: { policy: { decide: async () => ({ verdict: 'deny', reasons: ['not here'] }) } },
    }));
    const settled = await orchestrator.settled(await submit());
    expect(settled.reasons.map(({ code }) => code)).toContain('POLICY_BLOCKED');
    await expect(access(join(at, 'new'))).rejects.toThrow('ENOENT');
  });

  it('is not asked for a write without a declared rollback', async () => {
    const { orchestrator, submit, at } = await setUp((path) => ({
      calls: [call('fs.write_file', { path: join(path, 'a.txt'), content: 'gone' })],
    }));
    const taskId = await submit();
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'failure' });
    const facts = (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
    expect(facts).toContain('output.rejected'); // the model is offered no such tool
    expect(facts).not.toContain('call.started');
    expect(await readFile(join(at, 'a.txt'), 'utf8')).toBe('ledger of the year');
  });

  it('moves a file once, after a person approved it', async () => {
    const { orchestrator, submit, question, answer, at, evidence } = await setUp((path) => ({
      calls: [call('fs.move_file', { source: join(path, 'a.txt'), destination: join(path, 'b.txt') })],
    }));
    const taskId = await submit();
    const entry = await question();
    expect(entry.question).toMatchObject({ kind: 'approval', needsToken: false });
    await access(join(at, 'a.txt'));
    await answer(entry, 'approve');
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await readFile(join(at, 'b.txt'), 'utf8')).toBe('ledger of the year');
    await expect(answer(entry, 'approve')).rejects.toMatchObject({ code: 'feedback_refused' });
    expect((await evidence(taskId)).length).toBe(1);
  });

  it('fails a read with the server’s own error', async () => {
    const { orchestrator, submit } = await setUp(() => ({
      calls: [call('fs.read_text_file', { path: '/etc/passwd' })],
    }));
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toContain('Access denied');
  });
});
