import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { run } from '../run.ts';

const main = (...args: readonly string[]) => run('conformance/main.ts', args);

const Report = z.object({
  subject: z.string(),
  rules: z.array(z.object({ id: z.string(), verdict: z.string(), trace: z.array(z.unknown()) })).min(50),
  counts: z.object({ rules: z.number(), holds: z.number() }),
});

describe('docs/examples/conformance/main.ts', () => {
  test('prints the page of one orchestrator, with its traces', async () => {
    const { stdout, stderr, code } = await main('ai-sdk');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^# A plain program on the AI SDK and UAICP v0\.3\n/);
    expect(stdout).toContain('tool: ledger.read called with {}');
  });

  test('ends with 0 when every rule holds, and prints its report as JSON', async () => {
    const { stdout, stderr, code } = await main('ours', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { subject, counts } = Report.parse(JSON.parse(stdout));
    expect(subject).toBe('AgentCharter');
    expect(counts.holds).toBe(counts.rules);
  });

  test('prints its usage for unknown arguments', async () => {
    expect(await main('ours', 'langgraph')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'usage: main.ts [ours|langgraph|ai-sdk|all] [--json]\n',
    });
  });
});
