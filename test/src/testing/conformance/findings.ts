import type { Clock } from '../../../../src/index.ts';
import type { ConformanceReport } from '../../../../src/testing/conformance/index.ts';

/** The rules that a report does not call held: the broken ones by their names, the others with their verdict. */
export const brokenIn = ({ rules }: ConformanceReport): readonly string[] =>
  rules
    .filter(({ verdict }) => verdict !== 'holds')
    .map(({ id, verdict }) => (verdict === 'broken' ? id : `${id}: ${verdict}`))
    .toSorted();

/** The rules that hold in a report. */
export const heldIn = ({ rules }: ConformanceReport): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'holds').map(({ id }) => id);

/** What a report finds wrong: the rule, where, and what. */
export const faultsIn = ({ rules }: ConformanceReport) =>
  rules.filter(({ fault }) => fault !== null).map(({ id, scenario, fault }) => [id, scenario, fault]);

/** A clock on which a millisecond is a turn of the event loop: no machine is too slow for it. */
let passed = 0;
export const turnsClock: Clock = {
  now: () => passed,
  wakeAt: (at, wake) => {
    let left = at - passed;
    let immediate: NodeJS.Immediate;
    const turn = (): void => {
      left -= 1;
      if (left > 0) {
        immediate = setImmediate(turn);
        return;
      }
      passed = Math.max(passed, at);
      wake();
    };
    immediate = setImmediate(turn);
    return () => clearImmediate(immediate);
  },
};
