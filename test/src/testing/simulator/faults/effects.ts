import type { Fault } from '../faulted.ts';

/** Defects in what is done, undone and recovered. */
export const effectFaults: readonly Fault[] = [
  {
    name: 'makes a write again though its tool does not know its key',
    file: 'src/core/shell/duties/call.ts',
    code: "doubt: call.performs !== undefined && tool.doubt === 'idempotent' ? 'unsafe' : tool.doubt,",
    planted: "doubt: 'idempotent',",
    charter: 'refund',
    law: 'an effect happens once',
  },

  // intents
  {
    name: 'makes a call while its intent is being stored',
    file: 'src/core/shell/duties/call.ts',
    code: 'const intent = await recordIntent(run);',
    planted: 'const intent = await Promise.race([recordIntent(run), true]);',
    charter: 'late',
    law: 'an effect has an earlier intent on record',
  },
  {
    name: 'undoes a write while the intent of that is being stored',
    file: 'src/core/shell/duties/undo.ts',
    code: "!(await task.submitWithRetry({ type: 'rollback.started', request, digest }, statement))",
    planted: "!task.submitWithRetry({ type: 'rollback.started', request, digest }, statement)",
    charter: 'late',
    law: 'an effect has an earlier intent on record',
  },
  {
    name: 'makes a call in doubt again before that is on record',
    file: 'src/core/shell/duties/doubt.ts',
    code: 'const isTaken = await recordResolution(effect, found, resolution);',
    planted: 'const isTaken = await Promise.race([recordResolution(effect, found, resolution), true]);',
    charter: 'late',
    law: 'an effect has an earlier intent on record',
  },

  // doubt
  {
    name: 'takes a look-up that does not know for one that finds nothing',
    file: 'src/core/shell/duties/doubt.ts',
    code: `    case 'absent':
      return [`,
    planted: `    case 'unknown':
    case 'absent':
      return [`,
    charter: 'late',
    law: 'every open task is resumed',
  },
  {
    name: 'takes a write for done that its look-up does not find',
    file: 'src/core/shell/duties/doubt.ts',
    code: "return [...repeated, { is: 'closed' }];",
    planted: "return [{ is: 'adopted', result: null }];",
    charter: 'late',
    law: 'the ledger is intact',
  },
  {
    name: 'takes a write for failed whose answer is lost',
    file: 'src/core/shell/duties/call.ts',
    code: 'await fail(run, causeOf(error), false);',
    planted: 'await fail(run, causeOf(error), true);',
    charter: 'late',
    law: 'an effect happens once',
  },
  {
    name: 'takes a write for failed that does not answer in time',
    file: 'machines/facts/deadline.ts',
    code: "apply: (c, id) => doubted(c, id, 'TOOL_TIMEOUT'),",
    planted: "apply: (c, id) => abandoned(c, id, 'TOOL_TIMEOUT'),",
    charter: 'late',
    law: 'a task that failed leaves no write, or says so',
  },
  {
    name: 'forgets a write that a person says was made',
    file: 'machines/outcomes.ts',
    code: 'return call === undefined ? {} : committed(c, id, call, word === undefined ? null : evidenceOf(word, true));',
    planted:
      'return call === undefined ? {} : { ...committed(c, id, call, word === undefined ? null : evidenceOf(word, true)), effects: c.effects };',
    charter: 'late',
    law: 'an effect happens once',
  },

  // once
  {
    name: 'uses an approval for a second action',
    file: 'src/core/shell/duties/call.ts',
    code: 'approvalsOf(run).map(({ jti }) => ({ jti, action: call.digest }))',
    planted: 'approvalsOf(run).map(({ jti }) => ({ jti: `${jti} ${call.id}`, action: call.digest }))',
    charter: 'signed',
    law: 'the ledger is intact',
  },
  {
    name: 'forgets the key of a request',
    file: 'src/stores/memory/write.ts',
    code: 'if (key !== null) tables.keys.set(key, place);',
    planted: '',
    charter: 'late',
    law: 'a request is taken once',
  },
  {
    name: 'stores two records of one number',
    file: 'src/stores/memory/write.ts',
    code: "if (record.seq !== (tables.tasks.get(taskId)?.records.length ?? 0)) return 'conflict';",
    planted: '',
    charter: 'late',
    law: 'every open task is resumed',
  },
  {
    name: 'goes on with a step before it is stored',
    file: 'src/core/shell/steps.ts',
    code: 'if (taken.step !== null)\n        await',
    planted: 'this.#state = taken.task;\n      if (taken.step !== null)\n        await',
    charter: 'late',
    law: 'a task settles',
  },

  // rollbacks
  {
    name: 'undoes the oldest write first',
    file: 'machines/owed.ts',
    code: '(hasWriteInFlight(c) ? [] : rest.toReversed())',
    planted: '(hasWriteInFlight(c) ? [] : rest)',
    charter: 'late',
    law: 'what was done is undone, the newest first',
  },
  {
    name: 'begins to undo while a write is in flight',
    file: 'machines/owed.ts',
    code: '(hasWriteInFlight(c) ? [] : rest.toReversed())',
    planted: 'rest.toReversed()',
    charter: 'nested',
    law: 'what was done is undone, the newest first',
  },
  {
    name: 'makes a rollback again that a crash interrupted',
    file: 'src/core/shell/duties/undo.ts',
    code: `await (isCommitted
      ? runRollback(undoing)
      : resolveRollback(undoing, unknownRollback));`,
    planted: 'await runRollback(undoing);',
    charter: 'late',
    law: 'an effect has an earlier intent on record',
  },
  {
    name: 'takes a write for undone whose rollback does not end in time',
    file: 'machines/effect.ts',
    code: `        'rollback.failed': { target: 'stuck', meta: uaicp('5.3') },
        'deadline.passed': late,`,
    planted: `        'rollback.failed': { target: 'stuck', meta: uaicp('5.3') },
        'deadline.passed': { target: 'undone', meta: uaicp('5.3') },`,
    charter: 'undone',
    law: 'a task that failed leaves no write, or says so',
  },
  {
    name: 'settles while a write is in flight',
    file: 'machines/vocabulary.ts',
    code: '!hasWriteInFlight(context) && undoOwed(context).length === 0',
    planted: 'undoOwed(context).length === 0',
    charter: 'late',
    law: 'a task that fails begins to undo all that it made',
  },
  {
    name: 'leaves a write that the next plan leaves out',
    file: 'machines/owed.ts',
    code: '!callsOf(c).some((call) => call.digest === digest),\n  ),\n);',
    planted: 'c.reasons.length > 0 && !callsOf(c).some((call) => call.digest === digest),\n  ),\n);',
    charter: 'mended',
    law: 'what a task delivers stands, and nothing else',
  },

  // late writes
  {
    name: 'leaves a write that lands late',
    file: 'src/core/shell/duties/outcome.ts',
    code: `    return succeedWithoutEvidence(run, 'other evidence has its evidence_id', 'EVIDENCE_INVALID');
  if (!isTaken) await compensate(run);`,
    planted: `    return succeedWithoutEvidence(run, 'other evidence has its evidence_id', 'EVIDENCE_INVALID');`,
    charter: 'late',
    law: 'a task settles',
  },

  // deadlines
  {
    name: 'does not time work that a crash interrupted',
    file: 'src/core/kernel/deadlines.ts',
    code: '.filter((deadline) => !timing.isOwner || !isWork(deadline))',
    planted: '.filter(() => true)',
    charter: 'late',
    law: 'a task settles',
  },
  {
    name: 'gives a question its whole time again after a crash',
    file: 'src/core/kernel/deadlines.ts',
    code: "question: 'hour',",
    planted: "question: 'time',",
    charter: 'unheard',
    law: 'a question keeps its hour',
  },

  // tasks that are calls
  {
    name: 'does not tell a task after a crash that its child has ended',
    file: 'src/core/shell/children.ts',
    code: 'if (child?.isSettled === true) await this.reportEnd(taskId);',
    planted: 'if (child?.isSettled === true) continue;',
    charter: 'nested',
    law: 'a task settles',
  },
  {
    name: 'does not begin a child that a crash kept from beginning',
    file: 'src/core/shell/children.ts',
    code: 'else if (child === undefined)',
    planted: 'else if (child === null)',
    charter: 'nested',
    law: 'a task settles',
  },
  {
    name: 'undoes the oldest write of a child first',
    file: 'src/core/shell/duties/undo-writes.ts',
    code: 'return [...projection.concluded, ...current].toReversed();',
    planted: 'return [...projection.concluded, ...current];',
    charter: 'nested',
    law: 'what was done is undone, the newest first',
  },
  {
    name: 'takes a write for made that its tool says was not',
    file: 'src/core/shell/duties/outcome.ts',
    code: "case 'notDone':\n      return fail(run, explanation, true);",
    planted: "case 'notDone':\n      return succeed(run, explanation);",
    charter: 'late',
    law: 'what a task delivers stands, and nothing else',
  },
  {
    name: 'takes a write for undone whose rollback a look-up does not find',
    file: 'src/core/shell/duties/undo.ts',
    code: "if (is === 'adopted') return null;",
    planted: "if (is !== 'left') return null;",
    charter: 'undone',
    law: 'a task that failed leaves no write, or says so',
  },
  {
    name: 'undoes only what a plan leaves out',
    file: 'machines/owed.ts',
    code: 'c.reasons.length > 0 ? c.effects.filter((effect) => !isKnownByWord(c, effect)) : unplannedWrites(c);',
    planted: 'unplannedWrites(c);',
    charter: 'late',
    law: 'a task that fails begins to undo all that it made',
  },
  {
    name: 'does not say which writes it could not undo',
    file: 'machines/progress.ts',
    code: "status === 'committed' || status === 'stuck')",
    planted: "status === 'committed')",
    charter: 'late',
    law: 'a task that failed leaves no write, or says so',
  },
  {
    name: 'does not read a task again that its store knows better',
    file: 'src/core/shell/task.ts',
    code: "if (!isCharterError(error, 'store_conflict') || !(await this.#catchUp())) throw error;",
    planted: 'throw error;',
    charter: 'late',
    law: 'a task settles',
  },
  {
    name: 'begins a child before its parent waits for it',
    file: 'src/core/shell/duties/delegate.ts',
    code: 'const isAwaited = await task.submitWithRetry(',
    planted:
      'const isAwaited = await beginChild(run, child, taskId).then(() => false);\n  await task.submitWithRetry(',
    charter: 'nested',
    law: 'a task settles',
  },
  {
    name: 'counts what it gave up as under way for ever',
    file: 'src/core/kernel/view.ts',
    code: 'const begun = isSettled ? [] : Object.values(calls)',
    planted: 'const begun = Object.values(calls)',
    charter: 'refund',
    law: 'every effect has an outcome',
  },
  {
    name: 'does not wait after a crash for the deadlines of tasks that ask',
    file: 'src/core/shell/recovery.ts',
    code: '  await cache.alarm.ring();\n',
    planted: '',
    charter: 'unheard',
    law: 'a task settles',
  },
  {
    name: 'finds no task that asks in its store',
    file: 'src/stores/memory/read.ts',
    code: '(which.isAsking ?? indexEntry.asking > 0) === indexEntry.asking > 0 &&',
    planted: 'which.isAsking !== true &&',
    charter: 'refund',
    law: 'an open question stays open',
  },

  // by hand
  {
    name: 'takes a write for undone that a person says is not',
    file: 'src/core/shell/by-hand.ts',
    code: "return end?.outcome === 'success' ? null : whyNot(end?.answers.at(-1));",
    planted: 'return null;',
    charter: 'byHand',
    law: 'a task that failed leaves no write, or says so',
  },
  {
    name: 'asks no one if the store loses its answer',
    file: 'src/core/shell/by-hand.ts',
    code: 'onRepeat: (taskId) => this.#nested.goOn(taskId).then(() => taskId),',
    planted: 'onRepeat: (taskId) => taskId,',
    charter: 'byHand',
    law: 'a task settles',
  },
];
