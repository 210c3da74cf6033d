import { command, type Command } from '../command.ts';
import { scriptOf, shells } from '../completion.ts';

/** Returns the command that prints a completion script. */
export const completionOf = (table: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    description: 'Prints a completion script for a shell.',
    details: [
      'bash: source <(agentcharter completion bash)',
      'zsh:  source <(agentcharter completion zsh), after compinit',
      'fish: agentcharter completion fish | source',
    ].join('\n'),
    args: { shell: { description: 'the shell', choices: shells } },
    flags: {},
    example: 'completion bash',
    run: async (given, { out }) => {
      await out.document(scriptOf(given.args.shell, table()));
      return 0;
    },
  });
