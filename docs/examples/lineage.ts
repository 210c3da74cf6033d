import { createOrchestrator, defineTaskClass, type Model } from 'agentcharter';
import { fromJsonLines, lineageOf, toJsonLines, toMermaid, type LineageNode } from 'agentcharter/lineage';

const thought = { canProceed: true, explanation: 'To the landlord; what about the deposit?' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan'
      ? { ...thought, confidence: 0.4, calls: [] }
      : { ...thought, confidence: 0.9, payload: { letter: 'Dear landlord' } },
};
const letter = defineTaskClass({ id: 'letter', tools: [] });
const orchestrator = createOrchestrator({ taskClasses: [letter], model });
orchestrator.on('question', ({ message: { messageId: target } }) =>
  orchestrator.respond({ type: 'approve', target }, { by: 'dana' }),
);

const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' };
const { taskId, threadId } = await orchestrator.submit({ taskClass: 'letter', payload: {}, identity });
await orchestrator.settled(taskId);
const messages = await orchestrator.thread(threadId);
await orchestrator.close();

// Prints the thread as a tree.
const { threads, findings } = lineageOf(messages);
const open = threads.flatMap(({ roots }) => roots.map((node): [LineageNode, number] => [node, 0]));
for (let next = open.pop(); next !== undefined; next = open.pop()) {
  const [{ message, children }, depth] = next;
  console.log(`${'  '.repeat(depth)}${message.agentId} ${message.state}`);
  open.push(...children.toReversed().map((child): [LineageNode, number] => [child, depth + 1]));
}
console.log(`${findings.length} findings`);

// A file without its first line: the tree says so.
const [, ...rest] = toJsonLines(messages).split('\n');
for (const { code, index } of lineageOf(fromJsonLines(rest.join('\n'))).findings)
  console.log(`line ${index + 1}: ${code}`);

console.log(toMermaid({ threads, findings }));
