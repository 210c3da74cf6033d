import type { Model } from 'agentcharter';
import { Entry, evidenceOf, Ticket, Transfer } from './records.ts';

const sure = { canProceed: true, confidence: 0.95 };

/** The agent, scripted: all that it states is in evidence. A language model would sit behind the same port. */
export const clerk = (reads: readonly string[]): Model => ({
  answer: async ({ asks, request, evidence, calls }) => {
    if (asks === 'correction')
      return { choice: 'needHuman', explanation: 'The output did not fit, and this agent has no other.' };
    if (asks === 'plan') {
      const read = { tool: 'ticket.read', arguments: { ticket: request['ticket'] } };
      return { ...sure, explanation: 'The ticket says which wire it is.', calls: [read] };
    }
    const isCalled = (name: string) => calls.some(({ tool }) => tool === name);
    const ticket = evidenceOf(evidence, 'ticket.read', Ticket);
    const booking = evidenceOf(evidence, 'wire.reverse', Entry);
    if (ticket !== undefined && !isCalled('ledger.snapshot')) {
      const { wire } = ticket;
      return {
        explanation: `Read what is known of ${wire}.`,
        calls: reads.map((tool) => ({ tool, arguments: { wire } })),
      };
    }
    if (ticket !== undefined && !isCalled('wire.reverse')) {
      const given = { ...Transfer.parse(ticket), ticket: ticket.ticket };
      return { explanation: `Reverse ${ticket.wire}.`, calls: [{ tool: 'wire.reverse', arguments: given }] };
    }
    return booking === undefined
      ? { canProceed: false, confidence: 0, explanation: 'The wire was not reversed.', payload: {} }
      : {
          ...sure,
          explanation: `${booking.wire} is reversed: entry ${booking.entry} of the journal.`,
          payload: { ...Transfer.parse(booking), entry: booking.entry },
        };
  },
});
