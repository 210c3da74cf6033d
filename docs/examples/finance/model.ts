import type { Model } from 'agentcharter';
import { Entry, evidenceOf, Ticket } from './records.ts';

const sure = { canProceed: true, confidence: 0.95 };

/** The agent, scripted: all that it states is in evidence. A language model would sit behind the same port. */
export const clerk = (reads: readonly string[]): Model => ({
  answer: async ({ asks, request, evidence, calls }) => {
    if (asks === 'correction')
      return { choice: 'needHuman', explanation: 'The output did not fit, and this agent has no other.' };
    if (asks === 'plan') {
      const read = { tool: 'ticket.read', arguments: { of: request['ticket'] } };
      return { ...sure, explanation: 'The ticket says which wire it is.', calls: [read] };
    }
    const isCalled = (name: string) => calls.some(({ tool }) => tool === name);
    const asked = evidenceOf(evidence, 'ticket.read', Ticket);
    const booking = evidenceOf(evidence, 'wire.reverse', Entry);
    if (asked !== undefined && !isCalled('ledger.snapshot')) {
      const of = asked.transfer.wire;
      const read = reads.map((tool) => ({ tool, arguments: { of } }));
      return { ...sure, explanation: `Read what is known of ${of}.`, calls: read };
    }
    if (asked !== undefined && !isCalled('wire.reverse')) {
      const { reason, ...given } = asked;
      return {
        canProceed: true,
        confidence: 0.9,
        explanation: `Reverse it: ${reason}`,
        calls: [{ tool: 'wire.reverse', arguments: given }],
      };
    }
    if (booking === undefined)
      return { canProceed: false, confidence: 0, explanation: 'The wire was not reversed.', payload: {} };
    const explanation = `${booking.transfer.wire} is reversed: entry ${booking.entry} of the journal.`;
    return { ...sure, explanation, payload: booking };
  },
});
