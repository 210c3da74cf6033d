/** The program of a worker thread: each message names a job. */
export const program = `
  const { parentPort, threadId, workerData } = require('node:worker_threads');
  const kept = [];
  const works = {
    forEver: () => /^(a+)+$/.test('a'.repeat(50) + '!'),
    fill: () => { for (;;) kept.push(new Array(100000).fill({}).map(() => ({}))); },
    hold: () => kept.push(Array.from({ length: 1_100_000 }, () => ({}))),
    later: () => void setImmediate(() => Promise.reject(new Error('of another'))),
    dies: () => void Promise.reject(new Error('of another')),
    throws: () => { throw new Error('broken'); },
    leaves: () => process.exit(3),
    thread: () => threadId,
    data: () => workerData,
    memory: () => require('node:v8').getHeapStatistics().heap_size_limit,
    env: () => ({ ...process.env }),
  };
  parentPort.on('message', (name) => parentPort.postMessage({ answer: works[name](), took: 1 }));
  parentPort.postMessage('ready');
`;
