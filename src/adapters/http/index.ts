export type { MayRead, Owner } from './access.ts';
export { interruptsOf } from './ag-ui/interrupts.ts';
export type { Interrupt } from './ag-ui/interrupts.ts';
export { feedbackOf } from './ag-ui/resume.ts';
export type { Resumed, ResumeEntry } from './ag-ui/resume.ts';
export type { AgentCaller, Caller, PersonCaller } from './caller.ts';
export type { Problem } from './problem.ts';
export { createWire } from './wire.ts';
export type { Wire, WireOptions } from './wire.ts';
