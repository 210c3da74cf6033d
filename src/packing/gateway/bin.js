#!/usr/bin/env node
// `agentcharter gateway`, with all that it needs installed beside it
process.argv.splice(2, 0, 'gateway');
await import(new URL('dist/src/apps/cli/main.js', import.meta.resolve('agentcharter/package.json')).href);
