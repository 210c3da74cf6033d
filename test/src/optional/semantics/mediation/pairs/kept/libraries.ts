import type { Pair } from '../pair.ts';
import { choice, day, integer, is, link, list, mail, object, text, time } from './shape.ts';

const named = (predicate: string) =>
  list(
    object({ family: text('', is('foaf:familyName')) }, { given: text('', is('foaf:givenName')) }),
    '',
    is(predicate),
  );

/** Editors have names like authors; only the predicate of the list tells them apart. */
const citation: Pair = {
  name: 'CSL item to citation',
  prefixes: {
    bibo: 'http://purl.org/ontology/bibo/',
    dcterms: 'http://purl.org/dc/terms/',
    foaf: 'http://xmlns.com/foaf/0.1/',
  },
  source: object(
    {
      id: text('Key by which documents cite it'),
      type: text('Type of the item, such as article-journal'),
      title: text('Primary title of the item', is('dcterms:title')),
      author: named('dcterms:creator'),
    },
    {
      editor: named('bibo:editor'),
      'container-title': text('Title of the container holding the item', is('dcterms:isPartOf')),
      'title-short': text('Short form of the title', is('bibo:shortTitle')),
      volume: text('', is('bibo:volume')),
      page: text('Range of pages the item covers in a container', is('bibo:pages')),
      DOI: text('Digital Object Identifier', is('bibo:doi')),
      accessed: day('Date the item was accessed'),
      issued: day('Date the item was issued', is('dcterms:issued')),
    },
    { title: 'Item', concepts: ['bibo:Document'] },
  ),
  target: object(
    {
      heading: text('What the work is called', is('dcterms:title')),
      creators: list(
        object({ surname: text('', is('foaf:familyName')) }, { forenames: text('', is('foaf:givenName')) }),
        'Those who wrote it',
        is('dcterms:creator'),
      ),
    },
    {
      journal: text('Where it appeared', is('dcterms:isPartOf')),
      pages: text('From which page to which', is('bibo:pages')),
      doi: text('', is('bibo:doi')),
      published: day('', is('dcterms:issued')),
      publisher: text('', is('dcterms:publisher')),
    },
    { title: 'Citation', concepts: ['bibo:Document'] },
  ),
  right: {
    heading: 'title',
    'creators[].surname': 'author[].family',
    'creators[].forenames': 'author[].given',
    journal: 'container-title',
    pages: 'page',
    doi: 'DOI',
    published: 'issued',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'lamport78',
      type: 'article-journal',
      title: 'Time, clocks',
      author: [{ family: 'Lamport', given: 'Leslie' }],
      editor: [{ family: 'Gries' }],
      'container-title': 'CACM',
      page: '558-565',
    },
    result: {
      heading: 'Time, clocks',
      creators: [{ surname: 'Lamport', forenames: 'Leslie' }],
      journal: 'CACM',
      pages: '558-565',
    },
  },
};

const contributor = object({ family: text('Family name') }, { given: text('Given name'), ORCID: link() });

/** A work has titles, and a record one; it cites some works and is cited by others. */
const crossref: Pair = {
  name: 'Crossref work to library record',
  source: object(
    {
      DOI: text('DOI of the work', { pattern: '^10[.]' }),
      URL: link('URL form of the DOI of the work'),
      type: text('One of the type ids that Crossref lists'),
      title: list(text(), 'Work titles, including translated titles'),
      publisher: text('Name of the publisher of the work'),
      prefix: text('DOI prefix of the member'),
      'references-count': integer('Count of outbound references deposited with Crossref', { minimum: 0 }),
      'is-referenced-by-count': integer('Count of inbound references deposited with Crossref', {
        minimum: 0,
      }),
    },
    {
      'container-title': list(text(), 'Full titles of the containing work'),
      author: list(contributor, 'Authors of the work'),
      editor: list(contributor, 'Editors of the work'),
      abstract: text('Abstract as a JSON string or a JATS XML snippet'),
      volume: text('Volume number of the journal'),
      issue: text('Issue number of the journal'),
    },
    { title: 'Work' },
  ),
  target: object(
    {
      doi: text('Digital object identifier', { pattern: '^10[.]' }),
      title: text('Title of the work'),
    },
    {
      publisher: text('Publishing house'),
      authors: list(
        object({ surname: text('Surname of the author') }, { forename: text('First names of the author') }),
      ),
      timesCited: integer('How many works refer to this one', { minimum: 0 }),
      volume: text('Volume of the periodical'),
      shelf: text('Where the copy stands'),
    },
    { title: 'Library record' },
  ),
  right: {
    doi: 'DOI',
    publisher: 'publisher',
    'authors[].surname': 'author[].family',
    'authors[].forename': 'author[].given',
    timesCited: 'is-referenced-by-count',
    volume: 'volume',
  },
  expects: 'ambiguous',
};

/** A submission has those who wrote it and those who judge it, and a review is signed by one who judges. */
const review: Pair = {
  name: 'Conference submission to review sheet',
  source: object(
    {
      number: integer('Number of the submission', { minimum: 1 }),
      title: text('Title of the paper'),
      corresponding: object(
        { name: text('Name of the person'), email: mail('Address of the person') },
        {},
        { description: 'The author with whom the committee corresponds' },
      ),
      decision: choice(['accept', 'reject'], 'Decision of the committee'),
    },
    {
      abstract: text('Abstract of the paper'),
      authors: list(object({ name: text(), affiliation: text() }), 'The authors, in the order of the paper'),
      uploaded: time('When the manuscript was uploaded'),
    },
    { title: 'Submission' },
  ),
  target: object(
    {
      paper: integer('Submission that is reviewed, by its number', { minimum: 1 }),
      reviewer: object(
        { name: text('Name of the person'), email: mail('Address of the person') },
        {},
        { description: 'The reviewer, who judges the paper' },
      ),
    },
    {
      title: text('What the paper is called'),
      abstract: text('Summary that the authors gave'),
      confidence: integer('How sure the reviewer is', { minimum: 1, maximum: 5 }),
    },
    { title: 'Review sheet' },
  ),
  right: { paper: 'number', title: 'title', abstract: 'abstract' },
  expects: 'none',
};

export const libraries: readonly Pair[] = [citation, crossref, review];
