import { readFile } from 'node:fs/promises';
import type { Clock, Emission, Model } from 'agentcharter';
import { Ajv2020 } from 'ajv/dist/2020.js'; // oxlint-disable-line no-restricted-imports -- a package's own dist, not ours
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { openBank } from '../../../../docs/examples/finance/bank.ts';
import given from '../../../../docs/examples/finance/case.json' with { type: 'json' };
import { clerk } from '../../../../docs/examples/finance/model.ts';
import type { Case } from '../../../../docs/examples/finance/records.ts';
import { reportOn, type Report } from '../../../../docs/examples/finance/report.ts';
import { reverse, type Ports } from '../../../../docs/examples/finance/reversal.ts';

const files: Record<Emission['name'], string> = {
  UpFormatMessage: 'upformat-message',
  ReceivedMessage: 'upformat-message',
  MessageEnvelope: 'message-envelope',
  EvidenceObject: 'evidence-object',
  VerificationReport: 'verification-report',
};

/** Each document is valid against the JSON Schema that is printed for its kind. */
export const checkDocuments = async (documents: readonly Emission[]): Promise<void> => {
  for (const { name, document } of documents) {
    const ajv = new Ajv2020({ strict: false, strictNumbers: true });
    addFormats.default(ajv);
    const schema = JSON.parse(await readFile(`schema/json/${files[name]}.schema.json`, 'utf8')) as object;
    expect({ document, isValid: ajv.validate(schema, document) }).toEqual({ document, isValid: true });
  }
};

/** A clock that stands still, and identifiers that count. */
export const ports = (): Required<Ports> => {
  const clock: Clock = { now: () => Date.parse('2026-11-21T05:00:00Z'), wakeAt: () => () => {} };
  let last = 0;
  const hex = (digits: number) => (last += 1).toString(16).padStart(digits, '0');
  return {
    clock,
    ids: { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) },
  };
};

export const honest = clerk(['ledger.snapshot', 'beneficiary.read']);

/** A signed reversal, in a case or by a model that is not as it should be. */
export const reported = async ({
  model = honest,
  ...changed
}: Partial<Case> & { model?: Model }): Promise<Report> => {
  const one = { ...given, ...changed };
  const bank = openBank(one, () => {});
  const before = bank.snapshot();
  const parts = { given: one, bank, model, brings: 'signed', ports: ports() } as const;
  return reverse(parts, (left) => reportOn(left, bank, before));
};

/** The clerk, but for what `change` makes of its outputs. */
export const changing = (change: (output: Record<string, unknown>) => unknown): Model => ({
  answer: async (turn, options) => change((await honest.answer(turn, options)) as Record<string, unknown>),
});
