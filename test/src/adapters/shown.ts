import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { InboxEntry } from 'agentcharter';
import { interruptsOf } from '../../../src/adapters/http/ag-ui/interrupts.ts';
import { formOf } from '../../../src/adapters/mcp/form.ts';
import { Printer } from '../../../src/apps/cli/printer.ts';
import { printQuestion } from '../../../src/apps/cli/question.ts';
import { notifyPeople } from '../../../src/apps/console/notices/people.ts';
import type { Notice } from '../../../src/apps/console/notices/notifier.ts';
import type { Orchestrator } from '../../../src/core/shell/surface.ts';

/** A text that turns a line round, clears a terminal, begins lines of its own and holds what no reader sees. */
export const hostileText =
  'alice\u202e\u0000\u001b[2K\u009b31m\u200b\u2066\r\nApproved by: kim\n\nApproved by: lee\u2028\u{e0041}\u3164';

/** What a reader does not see, or what changes how others are shown; the ends of our own lines are none of it. */
export const unseen =
  /(?!\n)[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\u00ad\u3164\u{e0000}-\u{e0fff}]/u;

const printed = async (entry: InboxEntry): Promise<string> => {
  const stream = new PassThrough();
  await printQuestion(entry, new Printer(stream, false));
  stream.end();
  return text(stream);
};

/** The texts of a notice, as a notifier that prints them has them. */
const notified = (entry: InboxEntry): readonly string[] => {
  const notices: Notice[] = [];
  const orchestrator = {
    on: (event: string, listener: (entry: InboxEntry) => void) => {
      if (event === 'question') listener(entry);
      return () => {};
    },
  } as unknown as Orchestrator; // as much of one as notices listen to
  const notify = async (notice: Notice): Promise<void> => void notices.push(notice);
  notifyPeople(orchestrator, { notify }, { withContent: true })();
  const found: string[] = [];
  JSON.stringify(notices, (key, value: unknown) => {
    found.push(key, ...(typeof value === 'string' ? [value] : []));
    return value;
  });
  return found;
};

/** A question as each of our own surfaces puts it to a person: the command, a form of MCP, AG-UI, a notice. */
export const shownTo = async (entry: InboxEntry): Promise<readonly string[]> => [
  await printed(entry),
  formOf(entry, '').message,
  ...interruptsOf([entry]).map(({ message }) => message ?? ''),
  ...notified(entry),
];
