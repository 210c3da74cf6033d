import { parseArgs } from 'node:util';
import type { Endpoint } from './language-model.ts';

export interface Options {
  /** Print one JSON document instead of a report for people. */
  readonly json: boolean;
  /** Answer in a browser instead of the terminal. */
  readonly console: boolean;
  /** A file of prepared answers; without it the terminal is asked. */
  readonly answers?: string;
  /** The store file: a stopped run continues from it. */
  readonly store: string;
  /** The directory in which the embedded mail server keeps what it receives. */
  readonly mail?: string;
  /** The language model that proposes; without it the agents of this example do. */
  readonly model?: Endpoint;
}

export const usage = `Usage: npm start -- [options]

  --console       answer in the browser, at the address that is printed
  --answers FILE  answer from a JSON file instead of the terminal
  --store FILE    keep the tasks in this file (default: shortlisting.db)
  --mail DIR      keep the sent messages in this directory
  --model URL --model-name NAME
                  let the language model of that name propose, at an OpenAI-compatible address (https://host/v1)
  --json          print the result as JSON
  --help          print this text

OPENAI_API_KEY         the key of that address, where it wants one
SHORTLISTING_SMTP_URL  send through this server (smtp://host:port) instead of the embedded one
`;

interface Output {
  write(text: string): unknown;
}

/** The options of a command line; or, once the usage text is printed, the exit code: 0 for --help, 2 for a mistake. */
export function readOptions(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
): Options | 0 | 2 {
  try {
    const {
      help,
      model: url,
      'model-name': name,
      ...options
    } = parseArgs({
      args: [...args],
      options: {
        console: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        answers: { type: 'string' },
        store: { type: 'string', default: 'shortlisting.db' },
        mail: { type: 'string' },
        model: { type: 'string' },
        'model-name': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
    if (help) {
      stdout.write(usage);
      return 0;
    }
    if (url === undefined && name === undefined) return options;
    if (url === undefined || name === undefined) throw new Error('--model and --model-name go together');
    return { ...options, model: { url, name } };
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
}
