// A server that asks its client for whatever it likes, although the client said that it answers nothing.
import { createInterface } from 'node:readline';

const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const waiting = new Map();
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(method, resolve);
    say({ id: method, method, params });
  });
const message = { role: 'user', content: { type: 'text', text: 'Say yes.' } };
const requestedSchema = { type: 'object', properties: {} };

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'asks', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }),
  'tools/call': async () => {
    const answers = [
      await ask('sampling/createMessage', { messages: [message], maxTokens: 1 }),
      await ask('roots/list', {}),
      await ask('elicitation/create', { message: 'Your password?', requestedSchema }),
    ];
    return {
      content: [
        { type: 'text', text: JSON.stringify(answers.map(({ error, result }) => error?.message ?? result)) },
      ],
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, ...answer } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(answer);
  else if (id !== undefined)
    void Promise.resolve(handlers[method](params)).then((result) => say({ id, result }));
}
