import { expect, it } from 'vitest';
import { run } from './run.ts';

it('derives contexts from two schemas, and maps one payload to the other', async () => {
  const { stdout, stderr, code } = await run('context.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "Ranked freelancers [software_engineer schema:Person schema:email]
      candidates[]: schema:Person
      candidates[].name: full name
      candidates[].email: contact address
      candidates[].rate: euros an hour
      candidates {"minItems":1,"type":"array","required":true}
      candidates[].rate {"type":"number","minimum":20,"maximum":200}
    An invitation by mail []
      recipients: email addresses
    candidates[].email -> recipients[]: description, format (0.516)
    {"recipients":["ines@example.org"]}
    "
  `);
});
