import { remoteAgent } from 'agentcharter/adapters/a2a';
import { loopOver } from '../by-hand/loop.ts';
import type { Subject } from '../subject.ts';
import { serveAgents } from './foreign.ts';
import { swapsOf } from './swaps.ts';

/** Each tool is somebody else's agent, which an agent by hand has do it. */
export const subject: Subject = {
  framework: 'A2A',
  package: '@a2a-js/sdk',
  open: async (specs) => {
    const agents = await serveAgents(specs);
    const tools = specs.map((spec) => {
      const { name, description = '', input, contract } = spec;
      const { tier, rollback, labels, flows, isHidden } = contract;
      return remoteAgent({
        agent: agents.urlOf(spec),
        name,
        description,
        input,
        ...(tier && { tier }),
        ...(rollback && { rollback }),
        ...(typeof labels === 'object' && { labels }),
        ...(flows && { flows }),
        ...(isHidden && { isHidden }),
        every: 5,
      });
    });
    const loop = loopOver(specs);
    const swaps = swapsOf({ specs, agents, tools, begin: loop.begin });
    return { tools, ...loop, swaps, close: agents.close };
  },
};
