import { later, lease, type serverFaults } from './events.ts';
import type { Proxy } from './proxy.ts';
import type { Servers } from './servers.ts';

/** Leads all nodes to another server, or to none. */
const lead = (proxies: readonly Proxy[], port: number | null): void => {
  for (const proxy of proxies) {
    proxy.target = port;
    proxy.cut();
  }
};

/** Harms the server of all nodes. Returns whether it had its effect. */
export const harmServer = async (
  kind: (typeof serverFaults)[number],
  servers: Servers,
  proxies: readonly Proxy[],
  random: () => number,
): Promise<boolean> => {
  switch (kind) {
    case 'crash':
      await servers.crash();
      await later(random() * lease * 2);
      await servers.restart();
      return true;
    case 'failover':
      await servers.failOver();
      lead(proxies, servers.port);
      return true;
    case 'slow replica':
      return servers.slowReplica(lease * (1 + random() * 3));
    case 'full disk':
      servers.fillDisk();
      await later(lease * (1 + random() * 2));
      servers.freeDisk();
      return true;
    case 'restored dump': {
      const isNew = await servers.restoreDump(() => lead(proxies, null));
      lead(proxies, servers.port);
      return isNew;
    }
  }
};
