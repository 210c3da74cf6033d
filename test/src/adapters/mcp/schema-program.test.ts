import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { schemaProgram } from '../../../../src/adapters/mcp/schema-program.ts';
import { createBoundedWorker } from '../../../../src/base/boundary/bounded-worker.ts';
import { patience } from '../../../waits.ts';

const require = createRequire(import.meta.url);
const dialects = [undefined, 'draft/2020-12', 'draft/2019-09', 'draft-07'].map((dialect) =>
  dialect === undefined ? {} : { $schema: `https://json-schema.org/${dialect}/schema` },
);

describe.each(['@modelcontextprotocol/client/validators/ajv', '@modelcontextprotocol/sdk/validation/ajv'])(
  'The validator of %s',
  (file) => {
    const thread = createBoundedWorker(schemaProgram, require.resolve(file));
    const validate = async (schema: object, value: object): Promise<unknown> => {
      const text = JSON.stringify(schema);
      const { answer } = await thread.run(
        { key: text, schema: text, value: JSON.stringify(value) },
        () => patience,
      );
      return answer;
    };

    describe.each(dialects)('in the dialect %j', (dialect) => {
      const schemaOf = (name: string, member: object) => ({ ...dialect, properties: { [name]: member } });

      it.each([
        [String.raw`^https\:\/\/`, 'https://a.example', 'http://a.example'],
        [String.raw`^[\w-.]+$`, 'a-b.c', 'a b'],
        [String.raw`^\p{Lu}+$`, '\u00c9', '\u00e9'],
        ['^.$', '\u{1f44d}', 'ab'],
      ])('reads the pattern %s with the flag u, or else without it', async (pattern, fit, unfit) => {
        const schema = schemaOf('a', { pattern });
        expect(await validate(schema, { a: fit })).toEqual({ valid: true });
        expect(await validate(schema, { a: unfit })).toMatchObject({ valid: false });
      });

      it('reads own members only', async () => {
        const schema = schemaOf('constructor', { type: 'string' });
        expect(await validate(schema, {})).toEqual({ valid: true });
        expect(await validate({ ...schema, required: ['constructor'] }, {})).toMatchObject({ valid: false });
        expect(await validate(schema, { constructor: 7 })).toMatchObject({ valid: false });
      });

      it('refuses a pattern that no flag makes valid, and names it', async () => {
        const refused = { unusable: expect.stringContaining('Invalid regular expression: /(/') };
        expect(await validate(schemaOf('a', { pattern: '(' }), {})).toEqual(refused);
      });
    });
  },
);
