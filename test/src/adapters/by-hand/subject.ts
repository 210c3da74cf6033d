import { guardTool } from 'agentcharter/guard';
import type { Subject } from '../subject.ts';
import { loopOver } from './loop.ts';

/** The smallest agent: a loop over `Run`, which every binding is, in its framework's terms. */
export const subject: Subject = {
  framework: 'by hand',
  package: 'agentcharter',
  open: (specs) => ({
    tools: specs.map(({ contract, ...tool }) => guardTool(tool, contract)),
    ...loopOver(specs),
    swaps: { none: 'its loop calls the run, and nothing else' },
  }),
};
