type Container = object;

const isContainer = (value: unknown): value is Container =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

const memberOf = (container: Container, key: PropertyKey): unknown => {
  try {
    return Reflect.get(container, key);
  } catch {
    return undefined; // a getter that throws
  }
};

/** Returns every object and function reachable through own members, including the value itself. */
const reachable = (root: unknown, found: Set<Container>): void => {
  if (!isContainer(root) || found.has(root)) return;
  found.add(root);
  for (const key of Reflect.ownKeys(root)) reachable(memberOf(root, key), found);
  if (root instanceof Map || root instanceof Set) for (const member of root) reachable(member, found);
};

const spoilt = { spoilt: true };

/** Tries each way to change one member and returns how many worked. */
const spoilMember = (container: Container, key: PropertyKey): number =>
  [
    () => Reflect.set(container, key, spoilt),
    () => Reflect.defineProperty(container, key, { value: spoilt, configurable: true, writable: true }),
    () => Reflect.deleteProperty(container, key),
    () => Reflect.set(container, key, 999_999),
  ].filter((attempt) => {
    try {
      return attempt();
    } catch {
      return false; // a setter that throws
    }
  }).length;

const spoil = (container: Container): number => {
  const keys = [...Reflect.ownKeys(container), 'spoilt', 'aborted', 'then'];
  if (Array.isArray(container)) keys.push(String(container.length));
  const changed = keys.reduce((sum, key) => sum + spoilMember(container, key), 0);
  if (container instanceof Map || container instanceof Set) container.clear();
  return changed + Number(Reflect.setPrototypeOf(container, { spoilt }));
};

/** Host code that keeps every value it receives and mutates every reachable member, at once and later. */
export const createVandal = () => {
  const held = new Set<Container>();
  let changed = 0;
  let taken = 0;
  const spoilAll = (containers: ReadonlySet<Container>): void => {
    for (const container of containers) changed += spoil(container);
  };
  return {
    take: (values: readonly unknown[]): void => {
      const found = new Set<Container>();
      for (const value of values) reachable(value, found);
      for (const container of found) held.add(container);
      spoilAll(taken++ % 500 === 499 ? held : found); // now and then, everything received so far
    },
    /** How many objects it received, and how many changes to its own copies worked. */
    seen: () => ({ objects: held.size, changed }),
  };
};
