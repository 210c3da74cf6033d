// A room is loaded at its first use, which takes longer than a test waits whose clock is simulated.
await Promise.all([
  import('../src/core/cluster/leased-node.ts'),
  import('../src/core/upgrade/carry-over.ts'),
  import('../src/core/mediation/mediated-arguments.ts'),
  import('../src/core/participants/receive.ts'),
]);
