import type { Fault } from '../faulted.ts';

/** Defects in what is done, undone and recovered. */
export const effectFaults: readonly Fault[] = [
  {
    name: 'makes a write again though its tool does not know its key',
    file: 'src/core/shell/duties/call.ts',
    code: "doubt: call.performs !== undefined && tool.doubt === 'idempotent' ? 'unsafe' : tool.doubt,",
    planted: "doubt: 'idempotent',",
    charter: 'refund',
    law: 'an effect happens once',
  },
];
