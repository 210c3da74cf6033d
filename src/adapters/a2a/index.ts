export { attendRemoteAgents, type AttendOptions } from './client/attend.ts';
export type { RemoteAgent, RemoteAgentOptions } from './client/options.ts';
export { remoteAgent } from './client/remote-agent.ts';
export { upFormatExtension, upFormatUri } from './extension.ts';
export { a2aMessage, dataPart, textPart, type Marked } from './parts.ts';
export { taskExecutor, type TaskExecutor } from './server/executor.ts';
export type { TaskExecutorOptions } from './server/options.ts';
export { taskStateOf, type Circumstances } from './states.ts';
