import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const entries = {
  agentcharter: () => import('agentcharter'),
  'agentcharter/schema': () => import('agentcharter/schema'),
  'agentcharter/machines': () => import('agentcharter/machines'),
  'agentcharter/approvals': () => import('agentcharter/approvals'),
  'agentcharter/console': () => import('agentcharter/console'),
  'agentcharter/feedback': () => import('agentcharter/feedback'),
  'agentcharter/inspect': () => import('agentcharter/inspect'),
  'agentcharter/ledger': () => import('agentcharter/ledger'),
  'agentcharter/lineage': () => import('agentcharter/lineage'),
  'agentcharter/policies': () => import('agentcharter/policies'),
  'agentcharter/policies/cedar': () => import('agentcharter/policies/cedar'),
  'agentcharter/render': () => import('agentcharter/render'),
  'agentcharter/semantics': () => import('agentcharter/semantics'),
  'agentcharter/semantics/shacl': () => import('agentcharter/semantics/shacl'),
  'agentcharter/streaming': () => import('agentcharter/streaming'),
  'agentcharter/telemetry': () => import('agentcharter/telemetry'),
  'agentcharter/testing': () => import('agentcharter/testing'),
  'agentcharter/stores/memory': () => import('agentcharter/stores/memory'),
  'agentcharter/stores/sqlite': () => import('agentcharter/stores/sqlite'),
};

describe('the public surface', () => {
  it('is what each entry names, and no more', async () => {
    const names = await Promise.all(
      Object.entries(entries).map(async ([entry, load]) => [entry, Object.keys(await load()).toSorted()]),
    );
    expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
      {
        "agentcharter": [
          "CharterError",
          "createOrchestrator",
          "deadlines",
          "defineTaskClass",
          "defineTaskTool",
          "defineTool",
          "defineVerifier",
          "isCharterError",
          "operationalStateOf",
        ],
        "agentcharter/approvals": [
          "ApprovalSubject",
          "ApprovalToken",
          "actionDigest",
          "approvalSubject",
          "jwsApprovals",
          "signApproval",
        ],
        "agentcharter/console": [
          "createConsole",
          "notifyPeople",
          "webhookNotifier",
        ],
        "agentcharter/feedback": [
          "applyFeedback",
          "byPriority",
          "bySeverity",
          "rankAlternatives",
        ],
        "agentcharter/inspect": [
          "createInspector",
        ],
        "agentcharter/ledger": [
          "findingMeaning",
          "fromJsonLines",
          "replay",
          "replayMeaning",
          "signCheckpoint",
          "toJsonLines",
          "verifyLedger",
        ],
        "agentcharter/lineage": [
          "fromJsonLines",
          "lineageMeaning",
          "lineageOf",
          "toJsonLines",
          "toMermaid",
        ],
        "agentcharter/machines": [
          "Fact",
          "chartVersion",
          "dutiesOf",
          "executionMachine",
          "factTypes",
          "feedbackTaken",
          "occasionsOf",
          "operationalStateOf",
          "outcomeOf",
          "stateName",
          "taskClass",
          "taskMachine",
          "violationsOf",
        ],
        "agentcharter/policies": [
          "raisedTier",
          "tablePolicy",
        ],
        "agentcharter/policies/cedar": [
          "cedarPolicy",
        ],
        "agentcharter/render": [
          "render",
        ],
        "agentcharter/schema": [
          "Annotation",
          "ControlClass",
          "DateTime",
          "EvidenceObject",
          "EvidenceType",
          "FeedbackContent",
          "FeedbackTarget",
          "FeedbackType",
          "Identifier",
          "Identity",
          "JsonObject",
          "JsonPatch",
          "JsonPointer",
          "JsonValue",
          "MergePatch",
          "MessageEnvelope",
          "OperationalState",
          "Outcome",
          "Phase",
          "PublishedReasonCode",
          "Ranking",
          "ReasonCode",
          "RiskTier",
          "RollbackAction",
          "Streaming",
          "TextEdit",
          "UpContext",
          "UpFeedback",
          "UpFormatMessage",
          "UpThought",
          "Uuid",
          "VerificationCheck",
          "VerificationReport",
          "correspondences",
          "documents",
          "fieldCorrespondences",
          "jsonSchemas",
          "reasonMeaning",
        ],
        "agentcharter/semantics": [
          "applyMapping",
          "deriveContext",
          "mediate",
          "toJsonLd",
          "toShacl",
        ],
        "agentcharter/semantics/shacl": [
          "conformsTo",
          "shapeJudge",
        ],
        "agentcharter/stores/memory": [
          "memoryStore",
        ],
        "agentcharter/stores/sqlite": [
          "sqliteStore",
        ],
        "agentcharter/streaming": [
          "chunkBytes",
          "chunkCount",
          "createStreamReader",
          "hashOfStream",
          "streamBytes",
          "streamOf",
        ],
        "agentcharter/telemetry": [
          "openTelemetry",
        ],
        "agentcharter/testing": [
          "adversarialProperties",
          "callOf",
          "capabilities",
          "charterProperties",
          "check",
          "conformance",
          "conformancePage",
          "coverageOf",
          "edgeCover",
          "everyRunEnds",
          "explore",
          "factsIn",
          "hostileFactsIn",
          "inEveryState",
          "inEveryStep",
          "inWorld",
          "mutantsOf",
          "outlineOf",
          "projectRun",
          "replay",
          "replaySaved",
          "sharpnessOf",
          "shortestPaths",
          "simplePaths",
          "staysReachable",
          "testPaths",
        ],
      }
    `);
  });

  it('has an entry in package.json for each of them', async () => {
    const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const keys = Object.keys(entries).map((entry) => entry.replace('agentcharter', '.'));
    expect(
      Object.keys(exports)
        .filter((key) => !key.includes('json'))
        .toSorted(),
    ).toEqual(keys.toSorted());
  });
});
