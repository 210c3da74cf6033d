import type { Environment } from '../shell/environment.ts';

/** Counts and logs what a node takes, keeps too late, and loses. */
export const createNodeLog = ({ emit, meter, store }: Pick<Environment, 'emit' | 'meter' | 'store'>) => ({
  taken: (taskId: string): void => {
    meter.taken += 1;
    emit('log', { level: 'info', code: 'task_taken', taskId, message: 'this process performs it now' });
  },
  late: (after: number): void => {
    meter.lateRenewals += 1;
    const message = `leases of ${store.lease} ms were renewed after ${Math.round(after)} ms: this process is busy, or its store is slow`;
    emit('log', { level: 'warn', code: 'lease_late', taskId: '', message });
  },
  lost: (taskId: string): void => {
    meter.lost += 1;
    emit('lost', { taskId });
    const message = 'another process took it over: its lease had passed';
    emit('log', { level: 'warn', code: 'task_lost', taskId, message });
  },
});
