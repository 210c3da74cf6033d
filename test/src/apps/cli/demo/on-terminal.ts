// The command, on what it takes for a terminal.
for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;
await import('../../../../../src/apps/cli/main.ts');
