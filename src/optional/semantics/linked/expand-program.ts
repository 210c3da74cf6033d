/**
 * The CommonJS source of the thread that expands JSON-LD. `workerData` is the path of the peer `jsonld`.
 *
 * It loads no context but the given ones. Its answer is text, so that V8's memory limit applies to it.
 */
export const expandProgram = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const jsonld = require(workerData);

const words = (error) => {
  const { code, details } = error?.details?.event ?? {};
  const event = code === undefined ? '' : ' ' + code + ' ' + (JSON.stringify(details) ?? '');
  return (String(error?.message ?? error) + event).slice(0, 2000);
};

const expand = async ({ document, contexts, most }) => {
  const known = new Map(Object.entries(JSON.parse(contexts)));
  let unknown;
  const documentLoader = async (url) => {
    if (!known.has(url)) {
      unknown ??= url;
      throw new Error('it is not known');
    }
    return { contextUrl: null, documentUrl: url, document: known.get(url) };
  };
  try {
    const expanded = await jsonld.expand(JSON.parse(document), { safe: true, documentLoader });
    const text = JSON.stringify(expanded);
    return text.length > most ? { large: text.length } : { expanded: text };
  } catch (error) {
    return unknown === undefined ? { invalid: words(error) } : { unknown: String(unknown) };
  }
};

parentPort.on('message', async (asked) => {
  const from = performance.now();
  const answer = await expand(asked);
  parentPort.postMessage({ answer, took: performance.now() - from });
});
parentPort.postMessage('ready');
`;
