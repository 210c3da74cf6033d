// oxlint-disable-next-line no-restricted-imports -- where Ajv publishes its 2020-12 class
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe as describeRoutes } from '../../../../src/adapters/http/openapi.ts';
import { routes } from '../../../../src/adapters/http/routes/index.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** The description as a stranger reads it: as JSON. */
export const description = JSON.parse(JSON.stringify(describeRoutes(routes))) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

export const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'urn:test:openapi', ...description });

const compiled = new Map<string, ValidateFunction>();

/** A validator of a schema of the description, wherever in it that stands. */
export const validatorOf = (schema: object): ValidateFunction => {
  const text = JSON.stringify(schema).replaceAll('"#/', '"urn:test:openapi#/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, validate);
  return validate;
};

const operationFor = (method: string, path: string): Operation | undefined => {
  const [found] = Object.entries(description.paths).filter(([template]) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return found?.[1][(method === 'HEAD' ? 'GET' : method).toLowerCase()];
};

/** What of an answer its description does not say; empty where it says all. */
export const undescribed = (
  method: string,
  path: string,
  answered: { readonly status: number; readonly type: string; readonly body: string },
): string => {
  const { status, type, body } = answered;
  const operation = operationFor(method, path);
  if (operation === undefined)
    return [204, 403, 404, 405].includes(status) ? '' : `${method} ${path}: nowhere`;
  const response = operation.responses[status];
  if (response === undefined) return `${operation.operationId}: ${status} is not described`;
  if (body === '' || type.startsWith('text/event-stream')) return '';
  const schema = response.content?.[type.split(';')[0] ?? '']?.schema;
  if (schema === undefined) return `${operation.operationId}: ${status} as ${type} is not described`;
  const validate = validatorOf(schema);
  return validate(JSON.parse(body)) ? '' : `${operation.operationId}: ${ajv.errorsText(validate.errors)}`;
};
