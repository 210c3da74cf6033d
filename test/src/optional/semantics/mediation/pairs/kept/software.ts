import type { Pair } from '../pair.ts';
import { choice, flag, integer, is, link, list, object, text, time } from './shape.ts';

const gitlabUser = (description: string) =>
  object({ id: integer(), username: text('Handle of the user') }, { name: text() }, { description });

/** The one who wrote the change is neither the one who merged it nor one of those who reviewed it. */
const mergeRequest: Pair = {
  name: 'GitLab merge request to changelog entry',
  source: object(
    {
      iid: integer('Number of the merge request, counted within its project'),
      project_id: integer('ID of the project that the merge request belongs to'),
      title: text('Title of the merge request'),
      state: choice(['opened', 'closed', 'merged', 'locked'], 'State of the merge request'),
      created_at: time('When the merge request was created'),
      updated_at: time('When the merge request was last updated'),
      merged_at: time('When the merge request was merged'),
      web_url: link('Web address of the merge request'),
      author: gitlabUser('User who created the merge request'),
      merge_user: gitlabUser('User who merged it, or set it to auto-merge'),
    },
    {
      description: text('Description of the merge request, in Markdown'),
      labels: list(text(), 'Labels of the merge request'),
      reviewers: list(gitlabUser('A reviewer of the merge request'), 'Users asked for a review'),
      merge_commit_sha: text('SHA of the merge commit'),
      squash_commit_sha: text('SHA of the squash commit'),
    },
    { title: 'Merge request' },
  ),
  target: object(
    {
      summary: text('What is new, in one line'),
      reference: integer('Number that readers look the merge request up by'),
      page: link('Link to the discussion'),
      mergedOn: time('Date of the merge'),
      contributor: text('Handle of the author of the change'),
    },
    {
      body: text('Details of the change, as Markdown'),
      categories: list(text(), 'Labels under which the entry is listed'),
      breaking: flag('Whether callers have to change their code'),
    },
    { title: 'Changelog entry' },
  ),
  right: {
    summary: 'title',
    reference: 'iid',
    page: 'web_url',
    mergedOn: 'merged_at',
    contributor: 'author.username',
    body: 'description',
    'categories[]': 'labels[]',
  },
  expects: 'mapping',
  example: {
    payload: {
      iid: 412,
      project_id: 9,
      title: 'Read leap seconds',
      state: 'merged',
      created_at: '2024-03-01T08:00:00Z',
      updated_at: '2024-03-04T10:00:00Z',
      merged_at: '2024-03-03T09:30:00Z',
      web_url: 'https://gitlab.example.org/time/clock/-/merge_requests/412',
      author: { id: 3, username: 'ana' },
      merge_user: { id: 4, username: 'bo' },
      labels: ['feature', 'time'],
      reviewers: [{ id: 5, username: 'cy' }],
    },
    result: {
      summary: 'Read leap seconds',
      reference: 412,
      page: 'https://gitlab.example.org/time/clock/-/merge_requests/412',
      mergedOn: '2024-03-03T09:30:00Z',
      contributor: 'ana',
      categories: ['feature', 'time'],
    },
  },
};

const person = (role: string) =>
  object({ name: text(), email: text(), date: time() }, {}, { description: `The ${role}` });

/** Git keeps two dates of a commit, and neither is the date of it without more. */
const commit: Pair = {
  name: 'GitHub commit to release note',
  source: object(
    {
      sha: text('SHA of the commit object', { pattern: '^[0-9a-f]{40}$' }),
      html_url: link('Page of the commit'),
      commit: object(
        {
          message: text('Commit message'),
          author: person('author of the commit'),
          committer: person('committer of the commit'),
          comment_count: integer(),
        },
        {},
      ),
    },
    { parents: list(object({ sha: text('SHA of the parent commit') })) },
    { title: 'Commit' },
  ),
  target: object(
    {
      hash: text('SHA of the commit'),
      message: text('Message of the commit'),
      date: time('Date of the commit'),
    },
    { url: link('Page on which the commit is shown'), version: text('Release in which it is contained') },
    { title: 'Release note' },
  ),
  right: { hash: 'sha', message: 'commit.message', url: 'html_url' },
  expects: 'ambiguous',
};

/** A declared licence is not a concluded one, and an author's name alone is not in SPDX's form. */
const npmPackage: Pair = {
  name: 'npm package version to SPDX package',
  prefixes: { spdx: 'http://spdx.org/rdf/terms#' },
  source: object(
    {
      name: text('Name of the package', is('spdx:name')),
      version: text('Version, as node-semver reads it', is('spdx:versionInfo')),
      dist: object(
        { tarball: link('URL of the tarball', is('spdx:downloadLocation')) },
        {
          shasum: text('SHA-1 of the tarball'),
          integrity: text('Subresource integrity'),
          fileCount: integer(),
        },
      ),
    },
    {
      license: text('SPDX licence expression that the package is under', is('spdx:licenseDeclared')),
      description: text('Helps people discover the package in a search', is('spdx:summary')),
      homepage: link('URL of the project homepage', is('spdx:homepage')),
      author: object({ name: text() }, { email: text(), url: link() }),
      maintainers: list(object({ name: text() }, { email: text() })),
    },
    { title: 'Package version', concepts: ['spdx:Package'] },
  ),
  target: object(
    {
      name: text('Full name that the originator gave to the package', is('spdx:name')),
      downloadLocation: text('Where the package can be downloaded', is('spdx:downloadLocation')),
    },
    {
      versionInfo: text('Version of the package', is('spdx:versionInfo')),
      licenseDeclared: text('Licence that its authors declared', is('spdx:licenseDeclared')),
      licenseConcluded: text(
        'Licence that the preparer of the document concluded',
        is('spdx:licenseConcluded'),
      ),
      summary: text('Short description', is('spdx:summary')),
      homepage: link('', is('spdx:homepage')),
      originator: text('Where the package came from', {
        ...is('spdx:originator'),
        pattern: '^(Person|Organization): ',
      }),
      filesAnalyzed: flag('', is('spdx:filesAnalyzed')),
    },
    { title: 'Package', concepts: ['spdx:Package'] },
  ),
  right: {
    name: 'name',
    downloadLocation: 'dist.tarball',
    versionInfo: 'version',
    licenseDeclared: 'license',
    summary: 'description',
    homepage: 'homepage',
  },
  expects: 'mapping',
  example: {
    payload: {
      name: 'left-pad',
      version: '1.3.0',
      dist: { tarball: 'https://registry.example.org/left-pad-1.3.0.tgz', fileCount: 9 },
      license: 'WTFPL',
      author: { name: 'azer' },
    },
    result: {
      name: 'left-pad',
      downloadLocation: 'https://registry.example.org/left-pad-1.3.0.tgz',
      versionInfo: '1.3.0',
      licenseDeclared: 'WTFPL',
    },
  },
};

/** Nothing in an image is a package URL: a digest and a tag are other things. */
const image: Pair = {
  name: 'Docker image to CycloneDX component',
  source: object(
    {
      Id: text('Content-addressable identifier of the image', { pattern: '^sha256:[0-9a-f]{64}$' }),
      RepoTags: list(text(), 'Names and tags by which the image is known here'),
      Created: time('Date and time at which the image was created'),
      Architecture: text('Hardware CPU architecture that the image runs on'),
      Os: text('Operating system the image is built to run on'),
      Size: integer('Total size of the image with all layers', { unit: 'By' }),
    },
    {
      Author: text('Name of the author that was given when the image was committed'),
      Comment: text('Message that was set when the image was committed or imported'),
      Parent: text('Identifier of the parent image'),
    },
    { title: 'Image' },
  ),
  target: object(
    {
      purl: text('Package URL of the component', { pattern: '^pkg:' }),
      type: choice(['application', 'container', 'library'], 'Type of the component'),
    },
    {
      author: text('The person who authored the component'),
      publisher: text('Organization that published the component'),
      copyright: text(),
      version: text('Version of the component'),
    },
    { title: 'Component' },
  ),
  right: { author: 'Author' },
  expects: 'none',
};

export const software: readonly Pair[] = [mergeRequest, commit, npmPackage, image];
