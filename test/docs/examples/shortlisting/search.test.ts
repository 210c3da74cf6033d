import { describe, expect, it } from 'vitest';
import freelancers from '../../../../docs/examples/shortlisting/freelancers.json' with { type: 'json' };
import { openSearch } from '../../../../docs/examples/shortlisting/search.ts';

const { search } = openSearch(freelancers);
const skills = ['TypeScript', 'Node.js', 'PostgreSQL'];
const idsOf = (request: Parameters<typeof search>[0]) => search(request).candidates.map(({ id }) => id);
const confidenceOf = (request: Parameters<typeof search>[0]) => search(request).confidence;

describe('The freelancers', () => {
  it('have unique ids and addresses, all at reserved domains (RFC 2606)', () => {
    expect(freelancers.length).toBeGreaterThan(20);
    expect(new Set(freelancers.map(({ id }) => id)).size).toBe(freelancers.length);
    expect(new Set(freelancers.map(({ email }) => email)).size).toBe(freelancers.length);
    for (const { email } of freelancers) expect(email).toMatch(/@example\.(com|org|net)$/);
  });
});

describe('A search for freelancers', () => {
  it('ranks the same request the same way, whatever the order of the freelancers', () => {
    const found = search({ skills, limit: 50 });
    expect(found.candidates.length).toBeGreaterThan(5);
    expect(search({ skills, limit: 50 })).toEqual(found);
    expect(openSearch(freelancers.toReversed()).search({ skills, limit: 50 })).toEqual(found);
  });

  it('ranks people with every skill before those with some', () => {
    expect(idsOf({ skills, location: 'Lisbon' })).toEqual(['f-07', 'f-12', 'f-04', 'f-01']);
  });

  it('excludes everyone outside the location, by city, country, or both', () => {
    const lisbon = search({ skills, location: 'Lisbon', limit: 50 }).candidates;
    expect(lisbon.map(({ location }) => location)).toEqual(lisbon.map(() => 'Lisbon, Portugal'));
    expect(idsOf({ skills, location: ' lisbon,portugal', limit: 50 })).toEqual(lisbon.map(({ id }) => id));
    expect(idsOf({ skills: ['CSS'], location: 'Portugal' }).toSorted()).toEqual(['f-16', 'f-19']);
    expect(idsOf({ skills: ['Playwright'], location: 'Sao Paulo' })).toEqual(['f-24']);
    expect(idsOf({ skills, location: 'Lisbon, Spain' })).toEqual([]);
    expect(idsOf({ skills, location: '' })).toEqual([]);
  });

  it('distinguishes Java from JavaScript, and matches C# and Node.js', () => {
    expect(idsOf({ skills: ['Java'] }).toSorted()).toEqual(['f-04', 'f-20']);
    expect(idsOf({ skills: ['C#'] })).toEqual(['f-21']);
    expect(idsOf({ skills: ['js'] })).toEqual([]);
  });

  it('returns at most as many candidates as requested', () => {
    expect(idsOf({ skills, limit: 2 })).toEqual(idsOf({ skills, limit: 50 }).slice(0, 2));
  });
});

describe('The confidence of a search', () => {
  const known = [...new Set(freelancers.flatMap(({ skills }) => skills))];
  const places = [undefined, ...new Set(freelancers.flatMap(({ location }) => Object.values(location)))];

  it('is a number from 0 to 1 for every pair of skills in every place', () => {
    const seen = places.flatMap((location) =>
      known.map((skill, at) => confidenceOf({ skills: [skill, known.at(at - 1) ?? ''], location })),
    );
    expect(seen.length).toBeGreaterThan(1000);
    expect(seen.every((confidence) => confidence >= 0 && confidence <= 1)).toBe(true);
  });

  it('is over one half for two people with all the skills', () => {
    expect(confidenceOf({ skills, location: 'Lisbon' })).toBeGreaterThan(0.9);
  });

  it('is under one half for a weak match, and 0 for none', () => {
    expect(confidenceOf({ skills: ['TypeScript', 'COBOL', 'Fortran'], location: 'Lisbon' })).toBeLessThan(
      0.5,
    );
    expect(confidenceOf({ skills: ['TypeScript'], location: 'São Paulo' })).toBeLessThan(0.5);
    expect(confidenceOf({ skills: ['Rust'], location: 'Lisbon' })).toBe(0);
    expect(confidenceOf({ skills: [] })).toBe(0);
    expect(openSearch([]).search({ skills })).toEqual({ candidates: [], confidence: 0 });
  });

  it('falls with each skill that all candidates lack', () => {
    const asked = [skills, [...skills, 'COBOL'], [...skills, 'COBOL', 'Fortran']];
    const [all, one, two] = asked.map((skills) => confidenceOf({ skills, location: 'Lisbon' }));
    expect(one).toBeLessThan(all!);
    expect(two).toBeLessThan(one!);
  });

  it('is independent of the number of candidates', () => {
    expect(confidenceOf({ skills, limit: 1 })).toBe(confidenceOf({ skills, limit: 50 }));
  });
});
