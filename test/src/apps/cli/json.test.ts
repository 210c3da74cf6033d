import { afterAll, expect, it } from 'vitest';
import { table } from '../../../../src/apps/cli/table.ts';
import { call } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

/** The names and kinds of what a value holds; of a list, those of its first element. */
const shapeOf = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0], depth)];
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  if (depth === 0) return 'object';
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shapeOf(member, depth - 1)]),
  );
};

it('prints a stable JSON shape for each command', async () => {
  const shapes: Record<string, unknown> = {};
  for (const { name, example, flags } of table) {
    if (!('json' in flags) || name === 'schema print') continue;
    shapes[name] = shapeOf(JSON.parse((await call(`${example} --json`, { cwd: await folder() })).stdout), 2);
  }
  expect(shapes).toMatchInlineSnapshot(`
    {
      "cancel": {
        "by": "string",
        "state": "string",
        "taskId": "string",
      },
      "check": {
        "broken": [],
        "holds": "boolean",
        "properties": "number",
        "states": "number",
        "steps": "number",
      },
      "conformance": {
        "counts": {
          "broken": "number",
          "holds": "number",
          "notOffered": "number",
          "notShown": "number",
          "rules": "number",
          "scenarios": "number",
        },
        "rules": [
          {
            "basis": "string",
            "fault": null,
            "id": "string",
            "lacks": [],
            "saw": "object",
            "scenario": null,
            "section": "string",
            "statement": "string",
            "trace": [],
            "verdict": "string",
          },
        ],
        "specification": "string",
        "subject": "string",
      },
      "decide": {
        "answer": "string",
        "by": "string",
        "messageId": "string",
        "taskId": "string",
      },
      "demo": {
        "mail": [
          {
            "subject": "string",
            "text": "string",
            "to": [
              "string",
            ],
          },
        ],
        "tasks": [
          {
            "message": "object",
            "outcome": "string",
            "reasons": [],
            "state": "string",
            "taskId": "string",
            "waitsFor": null,
          },
        ],
      },
      "inbox": {
        "questions": [
          {
            "message": "object",
            "path": [
              "string",
            ],
            "question": "object",
            "taskId": "string",
          },
        ],
      },
      "ledger flows": {
        "erased": "number",
        "flows": [],
        "tasks": "number",
      },
      "ledger replay": {
        "ledgers": [
          {
            "carriedOver": [],
            "chart": "string",
            "findings": [],
            "ledger": "string",
            "records": "number",
            "same": "boolean",
            "states": [
              "string",
            ],
            "verdict": "string",
          },
        ],
        "same": "boolean",
      },
      "ledger show": {
        "chart": "string",
        "next": null,
        "records": [
          {
            "actor": "object",
            "behind": "number",
            "beside": "string",
            "brought": "object",
            "code": null,
            "documents": "object",
            "emitted": [
              "string",
            ],
            "erased": null,
            "fact": null,
            "from": "string",
            "hash": "string",
            "kind": "string",
            "omitted": "number",
            "outcome": "string",
            "previous": null,
            "request_id": "string",
            "seq": "number",
            "snapshot": "string",
            "taskId": "string",
            "timestamp": "string",
            "to": "string",
            "trace_id": "string",
          },
        ],
      },
      "ledger verify": {
        "intact": "boolean",
        "ledgers": [
          {
            "approvals": null,
            "blobs": null,
            "canReplay": "boolean",
            "carriedOver": [],
            "chart": "string",
            "checkpoint": null,
            "erased": "number",
            "findings": [],
            "head": "object",
            "intact": "boolean",
            "ledger": "string",
            "records": "number",
            "verdict": "string",
          },
        ],
      },
      "paths": {
        "isMore": "boolean",
        "paths": [
          {
            "events": [
              "object",
            ],
            "state": "string",
            "title": "string",
          },
        ],
        "states": "number",
        "steps": "number",
      },
      "pause": {
        "isNew": "boolean",
        "of": {
          "tool": "string",
        },
      },
      "pauses": {
        "pauses": [],
      },
      "prune": {
        "kept": "number",
        "pruned": "number",
      },
      "python": {
        "files": [
          {
            "file": "string",
            "state": "string",
          },
        ],
      },
      "resume": {
        "of": {
          "tool": "string",
        },
        "wasPaused": "boolean",
      },
      "retry": {
        "skips": "boolean",
        "taskId": "string",
      },
      "run": {
        "tasks": [
          {
            "message": "object",
            "outcome": "string",
            "reasons": [],
            "state": "string",
            "taskId": "string",
            "waitsFor": null,
          },
        ],
      },
      "schema check": {
        "issues": [],
        "valid": "boolean",
      },
      "schema list": {
        "schemas": [
          {
            "id": "string",
            "name": "string",
          },
        ],
      },
      "stats": {
        "asking": {
          "age": "number",
          "tasks": "number",
        },
        "held": "number",
        "overdue": {
          "age": "number",
          "tasks": "number",
        },
        "owed": {
          "age": "number",
          "tasks": "number",
        },
        "questions": "number",
        "settled": "number",
        "stuck": {
          "age": "number",
          "tasks": "number",
        },
        "tasks": "number",
      },
      "store copy": {
        "copied": "number",
        "findings": [],
        "isReleased": "boolean",
        "present": "number",
      },
      "tasks": {
        "tasks": [
          {
            "isSettled": "boolean",
            "outcome": "string",
            "reasons": [],
            "state": "string",
            "taskClass": "string",
            "taskId": "string",
            "threadId": "string",
          },
        ],
      },
      "thread": {
        "messages": [
          {
            "agentId": "string",
            "explanation": "string",
            "messageId": "string",
            "payload": "object",
            "state": "string",
            "threadId": "string",
            "timestamp": "string",
          },
        ],
        "threadId": "string",
      },
      "upgrade": {
        "carriesOver": "boolean",
        "chart": "string",
        "tasks": [
          {
            "changed": null,
            "chart": "string",
            "obstacle": null,
            "state": "string",
            "taskClass": "string",
            "taskId": "string",
            "to": "string",
            "verdict": "string",
          },
        ],
      },
    }
  `);
});
