import type { Found } from '../../../../src/index.ts';

/** An external system that outlives every process and keeps its effects by key. */
export const world = () => {
  const done: string[] = [];
  const asked: string[] = [];
  return {
    done,
    asked,
    lookup:
      (found?: Found['found']) =>
      async (key: string): Promise<Found> => {
        asked.push(key);
        const known = found ?? (done.includes(key) ? 'done' : 'absent');
        return known === 'done' ? { found: 'done', result: { known: true } } : { found: known };
      },
  };
};
