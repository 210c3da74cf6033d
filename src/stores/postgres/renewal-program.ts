/**
 * The CommonJS source of the thread that renews leases. `times` are nanoseconds of the clock that all threads share: when the
 * event loop last ran; when every lease was last renewed, and for which list.
 */
export const renewalProgram = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { driver, connection, text, node, lease, maxStall, shared } = workerData;
const { Client } = require(driver);
const times = new BigInt64Array(shared);
let list = { version: 0, names: [], fences: [] };
let client = null;
let isRenewing = false;

const drop = (one) => {
  if (client === one) client = null;
  one.end().catch(() => {});
};

const connected = async () => {
  const one = new Client(connection);
  one.on('error', () => drop(one));
  await one.connect();
  return one;
};

const isStalled = (now) => now - Atomics.load(times, 0) > BigInt(Math.round(maxStall * 1e6));

const renew = async () => {
  const begun = process.hrtime.bigint();
  const { version, names, fences } = list;
  if (isRenewing || isStalled(begun)) return;
  isRenewing = true;
  try {
    client ??= await connected();
    if (names.length === 0) return;
    const { rows } = await client.query({ text, values: [node, names, fences, lease] });
    if (rows.filter(({ task_id: name }) => name !== null).length === names.length) {
      Atomics.store(times, 2, BigInt(version));
      Atomics.store(times, 1, begun);
    }
  } catch {
    if (client !== null) drop(client); // the next turn has another one
  } finally {
    isRenewing = false;
  }
};

parentPort.on('message', (given) => {
  if (given === null) {
    if (client !== null) drop(client);
    parentPort.close();
    return;
  }
  list = { ...given, names: given.names.map((name) => Buffer.from(name)) }; // messages carry no Buffer
  void renew();
});
setInterval(() => void renew(), lease / 3).unref();
`;
