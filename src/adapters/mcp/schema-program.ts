/**
 * The CommonJS source of the thread for foreign schemas. `workerData` is the path of the SDK's validator.
 *
 * Each schema has its own validator, because servers may use the same `$id`. The last hundred stay compiled. A pattern
 * that is valid only without the flag `u` is compiled without it; only own members count.
 */
export const schemaProgram = `
'use strict';
const { parentPort, workerData } = require('node:worker_threads');
const { AjvJsonSchemaValidator } = require(workerData);
const compiled = new Map();

const regExpOf = (source, flags) => {
  try {
    return new RegExp(source, flags);
  } catch {
    return new RegExp(source); // many servers write patterns that are valid only without the flag u
  }
};
regExpOf.code = 'new RegExp';

const compile = (schema) => {
  const validator = new AjvJsonSchemaValidator();
  validator.getValidator({ $schema: schema.$schema }); // creates the engine of its dialect
  for (const engine of Object.values(validator)) {
    if (engine?.opts === undefined) continue;
    engine.opts.code.regExp = regExpOf;
    engine.opts.ownProperties = true; // else a member constructor would be that of the prototype
  }
  return validator.getValidator(schema);
};

const validatorOf = ({ key, schema }) => {
  const known = compiled.get(key);
  compiled.delete(key);
  const check = known ?? compile(JSON.parse(schema));
  compiled.set(key, check);
  for (const oldest of compiled.keys()) {
    if (compiled.size <= 100) break;
    compiled.delete(oldest);
  }
  return check;
};

const words = (error) => String(error instanceof Error ? error.message : error).slice(0, 2000);

const checked = (asked) => {
  let check;
  try {
    check = validatorOf(asked);
  } catch (error) {
    return { unusable: words(error) };
  }
  try {
    const answer = check(JSON.parse(asked.value));
    if (typeof answer?.then === 'function') {
      answer.then(() => undefined, () => undefined);
      return { unusable: 'its validator returned a promise: expected a synchronous validator' };
    }
    const { valid, errorMessage } = answer;
    return valid ? { valid } : { valid, errorMessage: String(errorMessage).slice(0, 2000) };
  } catch (error) {
    return { unusable: words(error) };
  }
};

parentPort.on('message', (asked) => {
  const from = performance.now();
  const answer = checked(asked);
  parentPort.postMessage({ answer, took: performance.now() - from });
});
parentPort.postMessage('ready');
`;
