import { expect, it } from 'vitest';
import { run } from './run.ts';

it('links a shortlist to two ontologies, and validates it with its shapes', async () => {
  const { stdout, stderr, code } = await run('linked.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "{
      "@type": "urn:agentcharter:context:b435f230b5406b91c803e75e743c297b",
      "candidates": [
        {
          "@type": [
            "https://schema.org/Person",
            "http://www.wikidata.org/entity/Q5"
          ],
          "name": "Ada Reyes",
          "email": "ada@example.org",
          "rate": 85
        },
        {
          "@type": [
            "https://schema.org/Person",
            "http://www.wikidata.org/entity/Q5"
          ],
          "name": "Bo Lindqvist",
          "email": "bo@example.org"
        }
      ]
    }
    <urn:agentcharter:context:b435f230b5406b91c803e75e743c297b> <urn:agentcharter:upformat#upContext/concepts> <http://www.wikidata.org/entity/Q5> .
    <urn:agentcharter:context:b435f230b5406b91c803e75e743c297b> <urn:agentcharter:upformat#upContext/concepts> <https://schema.org/Person> .
    <urn:agentcharter:context:b435f230b5406b91c803e75e743c297b> <urn:agentcharter:upformat#upContext/concepts> <https://schema.org/email> .
    <urn:uuid:0199a0f4-5c1e-7d1a-9a51-5e2b7c0d4f10> <urn:agentcharter:upformat#state> <urn:agentcharter:upformat:completed> .
    _:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.wikidata.org/entity/Q5> .
    _:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://schema.org/Person> .
    _:b1 <https://example.org/hiring#rate> "85"^^<http://www.w3.org/2001/XMLSchema#integer> .
    _:b1 <https://schema.org/email> "ada@example.org" .
    _:b1 <https://schema.org/name> "Ada Reyes" .
    _:b2 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.wikidata.org/entity/Q5> .
    _:b2 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://schema.org/Person> .
    _:b2 <https://schema.org/email> "bo@example.org" .
    _:b2 <https://schema.org/name> "Bo Lindqvist" .
    not in the shapes: {"candidates[].email":["format","pattern"]}
    conforms
    does not conform
      /candidates/0/name: Value has less than 1 characters
      /candidates/1/email: Less than 1 values
      /candidates/0/rate: Value matches none of the allowed alternatives
      /candidates/0/rate: Value is not greater than or equal to 20
      /candidates/0/rate: Value is not less than or equal to 200
    "
  `);
});
