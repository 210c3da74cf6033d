import { measureApart } from '../apart.ts';
import { own, peers, type EngineName, type PeerName } from '../engines/registry.ts';
import type { Figure, Measured, RowName } from '../goals.ts';
import { shuffled } from '../measure.ts';
import { progress, rounds, runs } from '../settings.ts';
import type { RunsOf, Warmth } from '../subjects/runs.ts';
import { medianRatio, type Pair } from './ratio.ts';

type Round = Readonly<Partial<Record<EngineName, Warmth>>>;

const isPeer = (engine: EngineName): engine is PeerName => Object.hasOwn(peers, engine);

/** A run of the switch takes microseconds: it is made more often, so that there is something to measure. */
const runsOf = (engine: EngineName): number => (engine === 'switch' ? runs * 100 : runs);

/** Every engine in a process of its own, in a shuffled order. */
const roundOf = async (
  mode: RunsOf['mode'],
  engines: readonly EngineName[],
  round: number,
): Promise<Round> => {
  const figures: Partial<Record<EngineName, Warmth>> = {};
  for (const engine of shuffled(engines)) {
    progress(`round ${round} of ${rounds}: ${runsOf(engine)} ${mode} runs of ${engine}`);
    const packages = isPeer(engine) ? 'peers' : 'own';
    figures[engine] = await measureApart('runs', { engine, mode, runs: runsOf(engine) }, { packages });
  }
  return figures;
};

const roundsOf = async (mode: RunsOf['mode'], engines: readonly EngineName[]): Promise<readonly Round[]> => {
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) all.push(await roundOf(mode, engines, round));
  return all;
};

const ratio = (all: readonly Round[], kind: keyof Warmth, engine: EngineName, beside: EngineName): Figure => {
  const of = (round: Round, name: EngineName): number => round[name]?.[kind] ?? Number.NaN;
  return medianRatio(
    all.map((round) => [of(round, engine), of(round, beside)]),
    'us',
  );
};

/** CPU time of gated runs, beside the switch and the peers. */
export const measureGated = async (arePeersInstalled: boolean): Promise<Measured> => {
  const names = Object.keys({ ...own, ...(arePeersInstalled && peers) }) as EngineName[];
  const all = await roundsOf('gated', names);
  const warm = names
    .filter((name) => name !== 'switch')
    .map((name) => [name satisfies RowName, ratio(all, 'warm', name, 'switch')] as const);
  return {
    ...Object.fromEntries(warm),
    ...(arePeersInstalled && { first: ratio(all, 'first', 'orchestrator', 'openai-agents') }),
  };
};

/** What one gated run allocates, beside Mastra, and the functions that it calls. */
export const measureAllocated = async (arePeersInstalled: boolean): Promise<Measured> => {
  const young = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];
  const of = (engine: 'orchestrator' | 'mastra') => {
    progress(`what a gated run of ${engine} allocates`);
    const packages = isPeer(engine) ? 'peers' : 'own';
    return measureApart('allocations', { engine, warm: 600, runs: 100 }, { packages, execArgv: young });
  };
  const own = await of('orchestrator');
  const calls = { value: own.calls, of: '' };
  if (!arePeersInstalled) return { calls };
  const mastra = await of('mastra');
  return { calls, allocated: medianRatio([[own.bytes / 1_024, mastra.bytes / 1_024]], 'KB') };
};

/** CPU time of gated runs whose write has flows, beside those without. */
export const measureFlows = async (): Promise<Measured> => {
  const figures: Pair[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: ${runs} gated runs with flows, and without`);
    const { flowing, plain } = await measureApart('flows', { runs });
    figures.push([flowing, plain]);
  }
  return { flows: medianRatio(figures, 'us') };
};

/** CPU time of runs that only read. */
export const measureStraight = async (): Promise<Measured> => {
  const all = await roundsOf('straight', ['switch', 'orchestrator']);
  return { straight: ratio(all, 'warm', 'orchestrator', 'switch') };
};

/** CPU time of one call through the guard, beside a run of the switch and a call of the AI SDK. */
export const measureGuard = async (arePeersInstalled: boolean): Promise<Measured> => {
  const figures: { readonly guard: number; readonly floor: number; readonly loop: number }[] = [];
  const pairs = Math.max(1, Math.round(runs / 10));
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: calls through the guard`);
    const guard = await measureApart('calls', { of: 'guard', pairs });
    const given = { engine: 'switch', mode: 'gated', runs: runsOf('switch') } as const;
    const floor = (await measureApart('runs', given)).warm;
    const loop = arePeersInstalled
      ? await measureApart('calls', { of: 'ai-sdk', pairs }, { packages: 'peers' })
      : Number.NaN;
    figures.push({ guard, floor, loop });
  }
  const beside = (kind: 'floor' | 'loop'): Figure =>
    medianRatio(
      figures.map((figure) => [figure.guard, figure[kind]]),
      'us',
    );
  return {
    guard: beside('floor'),
    ...(arePeersInstalled && { guardBesideLoop: beside('loop') }),
  };
};
