import type { ApprovalKeySet, KeySet } from '../../../gates/approvals/keys.ts';
import type { LargeValues } from '../../../core/ledger/blobs.ts';
import type { Verification, VerifyOptions } from '../../../core/ledger/verify.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { jsonOf, textOf } from '../files.ts';
import { chartsInWords, eachLedger, ledgerArgument } from '../ledgers.ts';
import { bad, good, type Printer } from '../printer.ts';
import { bar } from '../progress.ts';
import { openBlobs } from '../stored.ts';
import { usage } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

/** The limits of a verification without findings, as text. */
const reservations: Readonly<Record<Verification['verdict'], string>> = {
  anchored: 'anchored by a checkpoint',
  unanchored: 'not anchored: its end may be missing',
  unsettled: 'not settled: its task goes on, or its end is missing',
  broken: '',
};

const largeValuesInWords = ({ named, notKeptHere }: LargeValues): string => {
  const kept = `${named - notKeptHere.length} of ${named} large values`;
  return notKeptHere.length === 0 ? kept : `${kept}, the others not kept here`;
};

const print = async (ledger: string, found: Verification, out: Printer): Promise<void> => {
  const { intact, verdict, records, erased, approvals, blobs, head, canReplay, findings } = found;
  const notes = [
    chartsInWords(found, canReplay),
    reservations[verdict],
    `${records} ${records === 1 ? 'record' : 'records'}${erased > 0 ? `, ${erased} erased` : ''}`,
    blobs === null ? '' : largeValuesInWords(blobs),
    approvals === null ? '' : `${approvals.signed} of ${approvals.recorded} approvals signed`,
  ].filter((part) => part !== '');
  await out.line(
    `${ledger}: `,
    intact ? good('intact') : bad('not intact'),
    ...notes.map((part) => `; ${part}`),
  );
  for (const { seq, code, message } of findings)
    await out.line(`  record ${seq}: `, bad(code), `: ${message}`);
  if (intact && head !== null) await out.line(`  head: record ${head.seq}, ${head.hash}`);
};

const isKeySet = (value: unknown): value is KeySet =>
  typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);

/** Reads a JWK set; verification checks its keys. */
const keySetOf = async (file: string, terminal: Terminal): Promise<KeySet> => {
  const read = await jsonOf(file, terminal);
  if (!isKeySet(read)) throw usage(`${file}: expected a JWK set (RFC 7517, section 5)`);
  return read;
};

/** Returns the checkpoint to verify against, if any. A checkpoint requires the keys that may sign it. */
const checkpointOptions = async (
  { checkpoint, keys }: { readonly checkpoint: string | undefined; readonly keys: string | undefined },
  terminal: Terminal,
): Promise<VerifyOptions> => {
  if (checkpoint === undefined && keys === undefined) return {};
  if (checkpoint === undefined || keys === undefined)
    throw usage('expected --checkpoint and --keys together');
  return { checkpoint: await textOf(checkpoint, terminal), keys: await keySetOf(keys, terminal) };
};

/** Returns the keys that may sign approvals, if any; a set that is not one of approval keys is misuse. */
const approvalOptions = async (
  file: string | undefined,
  terminal: Terminal,
): Promise<Pick<VerifyOptions, 'approvals'>> => {
  if (file === undefined) return {};
  const { ApprovalKeys } = await import('../../../gates/approvals/keys.ts');
  const set = await keySetOf(file, terminal);
  const { error } = ApprovalKeys.safeParse(set);
  if (error !== undefined) throw usage(`${file}: ${error.issues[0]?.message ?? 'expected approval keys'}`);
  return { approvals: set as ApprovalKeySet }; // its schema accepts it
};

export const ledgerVerify = command({
  name: 'ledger verify',
  description: 'Verifies the hash chain of a ledger. Exit code 1, with the findings, if it was changed.',
  details: [
    'Without LEDGER, verifies every task of --store. Only a signed checkpoint shows that no record up to it is missing:',
    'without one, an intact ledger is not anchored, or not settled. The exit code is still 0, unless you pass --anchored.',
  ].join('\n'),
  args: { ledger: { ...ledgerArgument, isOptional: true } },
  flags: {
    store: storeFlag,
    checkpoint: { description: 'a signed checkpoint that the ledger must reach', value: 'FILE' },
    keys: { description: 'the public keys that may sign it, a JWK set', value: 'FILE' },
    approvals: {
      description: 'the public keys that may sign approvals, a JWK set with `subjects`',
      value: 'FILE',
    },
    blobs: { description: 'where the large values are kept: a file, or postgres://…', value: 'STORE' },
    anchored: { description: 'exit code 1 unless the checkpoint covers the last record' },
    json: jsonFlag,
  },
  example: 'ledger verify trail.jsonl',
  run: async (
    { flags: { store, json, anchored, approvals, blobs: at, ...against }, args: { ledger } },
    terminal,
  ) => {
    const { verifyLedger } = await import('../../../core/ledger/verify.ts');
    await using blobs = at === undefined ? null : await openBlobs(at, terminal);
    const options = {
      ...(blobs && { blobs }),
      ...(await checkpointOptions(against, terminal)),
      ...(await approvalOptions(approvals, terminal)),
    };
    if (anchored && options.checkpoint === undefined)
      throw usage('expected --checkpoint and --keys together with --anchored');
    const printed: (Verification & { ledger: string })[] = [];
    const progress = terminal.progress();
    const code = await eachLedger({ ledger, store }, terminal, async (whole, { at, of }) => {
      const { records, emissions } = whole;
      if (of > 1) progress.print(`verifying ${bar(at, of)}`);
      const found = await verifyLedger(records, { ...options, ...(emissions && { emissions }) });
      printed.push({ ledger: whole.ledger, ...found });
      return found.intact ? 0 : 1;
    }).finally(progress.end);
    if (json) await terminal.out.json({ intact: code === 0, ledgers: printed });
    else for (const { ledger: name, ...found } of printed) await print(name, found, terminal.out);
    return anchored && printed.some(({ verdict }) => verdict !== 'anchored') ? 1 : code;
  },
});
