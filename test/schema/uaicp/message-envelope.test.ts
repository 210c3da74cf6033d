import { describe, expect, test } from 'vitest';
import { ControlClass, MessageEnvelope } from '../../../schema/index.ts';

const envelope = {
  uaicp_version: '0.3',
  request_id: 'a3bb189e-8bf9-3888-9912-ace4e6543002',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  state: 'execute',
  timestamp: '2026-11-21T04:58:37Z',
  identity: { agent_id: 'recommender', owner_id: 'acme', control_class: 'human-supervised' },
  outcome: 'pending',
};

const fits = (change: object): boolean => MessageEnvelope.safeParse({ ...envelope, ...change }).success;

describe('A message envelope', () => {
  test('requires the seven fields of the schema', () => {
    expect(MessageEnvelope.parse(envelope)).toEqual(envelope);
    for (const field of Object.keys(envelope)) expect(fits({ [field]: undefined })).toBe(false);
    expect(Object.keys(envelope)).toHaveLength(7);
  });

  test('refuses an unknown field, with or without a namespace', () => {
    expect(fits({ reasonCodes: [] })).toBe(false);
    expect(fits({ 'acme:shard': 3 })).toBe(false);
  });

  test('accepts extensions in metadata and in its open objects', () => {
    expect(fits({ metadata: { 'acme:shard': 3 } })).toBe(true);
    expect(fits({ identity: { ...envelope.identity, 'acme:desk': 4 } })).toBe(true);
    expect(fits({ streaming: { 'acme:codec': 'opus' } })).toBe(true);
    expect(fits({ rollback_action: { 'acme:window': 'PT1H' } })).toBe(true);
  });

  test('requires an agent, its owner and its control class', () => {
    expect(ControlClass.options).toEqual(['autonomous', 'human-supervised', 'human-directed']);
    for (const field of ['agent_id', 'owner_id', 'control_class'])
      expect(fits({ identity: { ...envelope.identity, [field]: '' } })).toBe(false);
    expect(fits({ identity: { ...envelope.identity, user_id: '' } })).toBe(false);
  });

  test('requires an integer as the index of a stream chunk', () => {
    expect(fits({ streaming: { chunk_id: 'c', is_final: false, stream_index: 0 } })).toBe(true);
    expect(fits({ streaming: { stream_index: 0.5 } })).toBe(false);
    expect(fits({ streaming: { stream_index: 2 ** 53 } })).toBe(false);
  });

  test('refuses an empty parent trace', () => {
    expect(fits({ parent_trace_id: envelope.trace_id })).toBe(true);
    expect(fits({ parent_trace_id: '' })).toBe(false);
    expect(fits({ trace_id: '' })).toBe(false);
  });

  test('refuses an invalid request UUID and an invalid timestamp', () => {
    expect(fits({ request_id: 'r-1' })).toBe(false);
    expect(fits({ timestamp: '2026-11-21' })).toBe(false);
    expect(fits({ outcome: 'completed' })).toBe(false);
  });
});
