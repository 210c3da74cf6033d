import { prove, type Promises } from 'agentcharter/testing';
import { describe, expect, it } from 'vitest';
import { classOf, finds, refusalOf, tools, type Definition } from './payments.ts';

describe('prove', () => {
  it.each<{
    promise: string;
    kept: Definition;
    broken: Definition;
    promises: Promises;
    by?: readonly string[];
  }>([
    {
      promise: 'someone approves note before it begins',
      kept: {},
      broken: {},
      promises: { approved: ['note'] },
      by: ['note'],
    },
    {
      promise: 'find succeeds before a write begins',
      kept: { beforeWrite: finds },
      broken: { beforeDeliver: finds },
      promises: { beforeWrite: { tools: ['find'] } },
    },
    {
      promise: 'the verifier amount passes before a write begins',
      kept: { beforeWrite: { verifiers: ['amount'] } },
      broken: { beforeDeliver: { verifiers: ['amount'] } },
      promises: { beforeWrite: { verifiers: ['amount'] } },
    },
    {
      promise: 'find succeeds before an answer is delivered',
      kept: { beforeDeliver: finds },
      broken: {},
      promises: { beforeDeliver: { tools: ['find'] } },
    },
    {
      promise: 'the verifier facts passes before an answer is delivered',
      kept: { beforeDeliver: { verifiers: ['facts'] } },
      broken: { beforeDeliver: { verifiers: ['other'] } },
      promises: { beforeDeliver: { verifiers: ['facts'] } },
    },
    {
      promise: 'pay is never called',
      kept: { limits: { calls: 0 } },
      broken: {},
      promises: { uncalled: ['pay'] },
    },
  ])('keeps and breaks: $promise', ({ promise, kept, broken, promises, by }) => {
    expect(refusalOf(broken, promises, by)).toContain(`does not keep this: ${promise}.\n`);
    const proof = prove(classOf(kept, by === undefined ? undefined : ['find', 'pay']), {
      tools,
      promises: by === undefined ? promises : { approved: ['pay'] },
    });
    expect(proof.promises).toContain(promise.replace('note', 'pay'));
  });
});
