import type { Issue } from '../../../base/errors.ts';
import { isCharterError } from '../../../base/errors.ts';
import type { DocumentName } from '../../../../schema/index.ts';
import { command, jsonFlag } from '../command.ts';
import { jsonOf } from '../files.ts';
import { bad, good } from '../printer.ts';
import { visibleJson } from '../../../base/text/foreign-text.ts';

const names = [
  'upformat-message',
  'operational-state',
  'up-thought',
  'up-feedback',
  'up-context',
  'message-envelope',
  'evidence-object',
  'verification-report',
  'rollback-action',
  'risk-tier',
  'phase',
  'outcome',
  'reason-code',
] as const satisfies readonly DocumentName[];

const nameArgument = { description: 'the document or vocabulary', choices: names } as const;

export const schemaList = command({
  name: 'schema list',
  description: 'Lists the documents and vocabularies that have a schema.',
  args: {},
  flags: { json: jsonFlag },
  example: 'schema list',
  run: async ({ flags: { json } }, { out }) => {
    const { jsonSchemas } = await import('../../../../schema/index.ts');
    const schemas = Object.entries(jsonSchemas()).map(([name, { $id: id }]) => ({ name, id }));
    if (json) await out.json({ schemas });
    else for (const { name, id } of schemas) await out.line(`${name.padEnd(22)}${id}`);
    return 0;
  },
});

export const schemaPrint = command({
  name: 'schema print',
  description: 'Prints a JSON Schema (draft 2020-12).',
  args: { name: nameArgument },
  flags: { json: { description: 'print it on one line' } },
  example: 'schema print message-envelope',
  run: async ({ flags: { json }, args: { name } }, { out }) => {
    const { jsonSchemas } = await import('../../../../schema/index.ts');
    const schema = jsonSchemas()[name];
    if (json) await out.json(schema);
    else await out.lines(JSON.stringify(schema, null, 2));
    return 0;
  },
});

export const schemaCheck = command({
  name: 'schema check',
  description: 'Validates a document against its schema. Exit code 1, with the issues, if it is not valid.',
  args: { name: nameArgument, file: { description: 'a JSON file, or - for standard input' } },
  flags: { json: jsonFlag },
  example: 'schema check up-feedback feedback.json',
  run: async ({ flags: { json }, args: { name, file } }, terminal) => {
    const { documents } = await import('../../../../schema/index.ts');
    const { parseDocument } = await import('../../../base/boundary/parse-document.ts');
    const { out } = terminal;
    let issues: readonly Issue[] = [];
    try {
      parseDocument(file, documents[name], await jsonOf(file, terminal));
    } catch (error) {
      if (isCharterError(error, 'document_invalid')) issues = error.details.issues;
      else if (isCharterError(error, 'input_unreadable'))
        issues = [{ path: error.details.path, message: error.details.reason }];
      else throw error;
    }
    const isValid = issues.length === 0;
    if (json) await out.json({ valid: isValid, issues });
    else {
      await out.line(`${file}: `, isValid ? good('valid') : bad('not valid'), ` as ${name}`);
      for (const { path, message } of issues) await out.line(`  ${visibleJson(path)}: ${message}`);
    }
    return isValid ? 0 : 1;
  },
});
