import MiniSearch from 'minisearch';

export interface Freelancer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly location: { readonly city: string; readonly country: string };
  readonly skills: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly hourlyRate: number;
  readonly rating: number;
}

export interface SearchRequest {
  readonly skills: readonly string[];
  /** A city, a country, or both ("Lisbon, Portugal"); without it everyone is searched. */
  readonly location?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly location: string;
  readonly title: string;
  readonly score: number;
}

export interface SearchResult {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** 0 to 1. */
  readonly confidence: number;
}

export interface FreelancerSearch {
  readonly search: (request: SearchRequest) => SearchResult;
}

/** The words of a text as they are indexed: in lower case, with "node.js", "c++" and "c#" whole. */
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*[+#]*/gu) ?? [];

const { compare } = new Intl.Collator('en', { sensitivity: 'base' });

const livesIn = ({ location: { city, country } }: Freelancer, location: string): boolean =>
  location.split(',').every((part) => [city, country].some((place) => compare(place, part.trim()) === 0));

// Three decimals: the last bits of a logarithm differ between machines, and what is found here is hashed.
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** A full-text index (BM25+) over freelancers, in which a skill counts more than a title, and a title more than a summary. */
export function openSearch(freelancers: readonly Freelancer[]): FreelancerSearch {
  const byId = new Map(freelancers.map((freelancer) => [freelancer.id, freelancer]));
  const index = new MiniSearch<Freelancer>({
    fields: ['skills', 'title', 'summary'],
    extractField: (freelancer, field) => {
      const value = freelancer[field as 'id' | 'skills' | 'title' | 'summary'];
      return typeof value === 'string' ? value : value.join(', ');
    },
    tokenize: wordsOf,
    searchOptions: { boost: { skills: 3, title: 2 } },
  });
  index.addAll(freelancers);

  return {
    search({ skills, location, limit = 5 }) {
      const terms = new Set(skills.flatMap(wordsOf));
      const everywhere = index
        .search([...terms].join(' '))
        .flatMap(({ id, score, queryTerms }) => {
          const freelancer = byId.get(String(id));
          return freelancer
            ? [{ freelancer, score: rounded(score), matched: queryTerms.length / terms.size }]
            : [];
        })
        .toSorted(
          ({ freelancer: a, score: x }, { freelancer: b, score: y }) =>
            y - x || b.rating - a.rating || (a.id < b.id ? -1 : 1),
        );
      const here = everywhere.filter(
        ({ freelancer }) => location === undefined || livesIn(freelancer, location),
      );
      const bestScore = everywhere[0]?.score || 1;

      // Each of the first two hits here counts half (one that is missing counts 0): the share of the asked words that
      // it matched, times (1 + its score / the best score anywhere) / 2. So a hit that matched half of the words or
      // fewer never lifts its part over one half, and the second choices of a place weigh less than the best anywhere.
      const confidence = here
        .slice(0, 2)
        .reduce((sum, { score, matched }) => sum + (matched * (1 + score / bestScore)) / 4, 0);

      return {
        candidates: here.slice(0, limit).map(({ freelancer, score }) => ({
          id: freelancer.id,
          name: freelancer.name,
          email: freelancer.email,
          location: `${freelancer.location.city}, ${freelancer.location.country}`,
          title: freelancer.title,
          score,
        })),
        confidence: rounded(confidence),
      };
    },
  };
}
