import type { Pair } from '../pair.ts';
import { choice, flag, integer, is, link, list, mail, number, object, tagged, text, time } from './shape.ts';

const artist = object({ id: text('The Spotify ID for the artist'), name: text('The name of the artist') });

/** Track, album and artists each have a name; milliseconds are not an ISO 8601 duration. */
const track: Pair = {
  name: 'Spotify track to schema.org MusicRecording',
  source: object(
    {
      id: text('The Spotify ID for the track'),
      name: text('The name of the track'),
      duration_ms: integer('The track length in milliseconds', { unit: 'ms' }),
      explicit: flag('Whether or not the track has explicit lyrics'),
      track_number: integer('The number of the track on its disc'),
      popularity: integer('The popularity of the track', { minimum: 0, maximum: 100 }),
      external_ids: object(
        { isrc: text('International Standard Recording Code') },
        { ean: text(), upc: text() },
      ),
      album: object({ id: text('The Spotify ID for the album'), name: text('The name of the album') }),
      artists: list(artist, 'The artists who performed the track'),
    },
    { preview_url: link('A 30 second preview of the track'), is_local: flag() },
    { title: 'Track' },
  ),
  target: object(
    {
      name: text('The name of the track', tagged('schema:name')),
      isrcCode: text('The International Standard Recording Code', tagged('schema:isrcCode')),
      byArtist: list(
        object({ name: text('The name of the artist', tagged('schema:name')) }),
        'The artists that performed this recording',
        tagged('schema:byArtist'),
      ),
    },
    {
      inAlbum: object(
        { name: text('The name of the album', tagged('schema:name')) },
        {},
        tagged('schema:inAlbum'),
      ),
      duration: text('The length in ISO 8601 form', { ...tagged('schema:duration'), pattern: '^PT' }),
      isFamilyFriendly: flag('Whether the content is family friendly', tagged('schema:isFamilyFriendly')),
    },
    { title: 'MusicRecording', concepts: ['schema:MusicRecording'] },
  ),
  right: {
    name: 'name',
    isrcCode: 'external_ids.isrc',
    'byArtist[].name': 'artists[].name',
    'inAlbum.name': 'album.name',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: '11dF',
      name: 'Cut',
      duration_ms: 207_959,
      explicit: false,
      track_number: 4,
      popularity: 61,
      external_ids: { isrc: 'USKRS0326502' },
      album: { id: '0tG', name: 'Sharp things' },
      artists: [
        { id: 'a', name: 'One' },
        { id: 'b', name: 'Two' },
      ],
    },
    result: {
      name: 'Cut',
      isrcCode: 'USKRS0326502',
      byArtist: [{ name: 'One' }, { name: 'Two' }],
      inAlbum: { name: 'Sharp things' },
    },
  },
};

/** Atom must say when an entry was updated, and may say when it was published. */
const atom: Pair = {
  name: 'Atom entry to post',
  source: object(
    {
      id: text('Permanent, universally unique identifier of the entry'),
      title: text('Human-readable title of the entry'),
      updated: time('Most recent instant when the entry was modified significantly'),
      author: object({ name: text('Human-readable name of the author') }, { uri: link(), email: mail() }),
      content: text('Content of the entry'),
    },
    {
      published: time('Instant early in the life cycle, such as first availability'),
      summary: text('Short summary, abstract or excerpt of the entry'),
      rights: text('Rights held in and over the entry'),
      contributor: list(object({ name: text('Human-readable name of a contributor') })),
    },
    { title: 'Entry' },
  ),
  target: object(
    {
      guid: text('Stable key of the post, which never changes'),
      headline: text('Headline of the post'),
      body: text('Full text'),
      byline: text('Who wrote it, by name'),
      revised: time('Last time that something was modified'),
    },
    {
      teaser: text('A few sentences for the overview'),
      firstSeen: time('When it became available to readers'),
      license: link('Where the licence can be read'),
      comments: integer('How many comments there are', { minimum: 0 }),
    },
    { title: 'Post' },
  ),
  right: {
    guid: 'id',
    headline: 'title',
    body: 'content',
    byline: 'author.name',
    revised: 'updated',
    teaser: 'summary',
    firstSeen: 'published',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'urn:uuid:60a76c80-d399-11d9-b91C-0003939e0af6',
      title: 'Robots run',
      updated: '2003-12-13T18:30:02Z',
      published: '2003-12-12T08:00:00Z',
      author: { name: 'J. Doe' },
      content: 'They run amok.',
      contributor: [{ name: 'K. Roe' }],
    },
    result: {
      guid: 'urn:uuid:60a76c80-d399-11d9-b91C-0003939e0af6',
      headline: 'Robots run',
      body: 'They run amok.',
      byline: 'J. Doe',
      revised: '2003-12-13T18:30:02Z',
      firstSeen: '2003-12-12T08:00:00Z',
    },
  },
};

const count = (description: string, more = {}) => integer(description, { minimum: 0, ...more });

/** Status and account each have an id and a URL, and a status may name the id of another. */
const mastodon: Pair = {
  name: 'Mastodon status to feed item',
  prefixes: { as: 'https://www.w3.org/ns/activitystreams#' },
  source: object(
    {
      id: text('ID of the status in the database', { pattern: '^[0-9]+$' }),
      uri: link('URI of the status used for federation', is('as:id')),
      url: link('A link to the HTML representation of the status', is('as:url')),
      created_at: time('The date when this status was created', is('as:published')),
      content: text('HTML-encoded status content', is('as:content')),
      spoiler_text: text('Subject or summary line, below which content is collapsed', is('as:summary')),
      visibility: choice(['public', 'unlisted', 'private', 'direct'], 'Visibility of this status'),
      reblogs_count: count('How many boosts this status has received'),
      favourites_count: count('How many favourites this status has received'),
      replies_count: count('How many replies this status has received'),
      account: object(
        {
          id: text('The account ID'),
          acct: text('The Webfinger account URI'),
          display_name: text('The display name of the profile', is('as:name')),
          url: link('The location of the profile page of the user'),
        },
        {},
        { ...is('as:attributedTo'), description: 'The account that authored this status' },
      ),
    },
    {
      in_reply_to_id: text('ID of the status being replied to', is('as:inReplyTo')),
      edited_at: time('Timestamp of when the status was last edited', is('as:updated')),
      language: text('Primary language of this status'),
    },
    { title: 'Status', concepts: ['as:Note'] },
  ),
  target: object(
    {
      federatedId: link('Federation-wide URI'),
      link: link('Where a browser finds the post'),
      html: text('Body, with HTML tags'),
      posted: time('When it was posted'),
      author: text('Name of the author, as displayed'),
    },
    {
      likes: count('Number of favourites'),
      shares: count('How often others passed it on'),
      warning: text('Text to show until the reader unfolds the rest'),
      locale: text('Written language, ISO 639-1'),
      parent: text('ID of the post that this one answers'),
      readMinutes: number('How long it takes to read', { unit: 'min' }),
    },
    { title: 'Feed item' },
  ),
  right: {
    federatedId: 'uri',
    link: 'url',
    html: 'content',
    posted: 'created_at',
    author: 'account.display_name',
    likes: 'favourites_count',
    shares: 'reblogs_count',
    warning: 'spoiler_text',
    locale: 'language',
    parent: 'in_reply_to_id',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: '1032',
      uri: 'https://social.example/users/eu/statuses/1032',
      url: 'https://social.example/@eu/1032',
      created_at: '2024-04-01T12:00:00Z',
      content: '<p>Hello</p>',
      spoiler_text: '',
      visibility: 'public',
      reblogs_count: 6,
      favourites_count: 11,
      replies_count: 2,
      account: { id: '1', acct: 'eu', display_name: 'Eugenia', url: 'https://social.example/@eu' },
      language: 'en',
    },
    result: {
      federatedId: 'https://social.example/users/eu/statuses/1032',
      link: 'https://social.example/@eu/1032',
      html: '<p>Hello</p>',
      posted: '2024-04-01T12:00:00Z',
      author: 'Eugenia',
      likes: 11,
      shares: 6,
      warning: '',
      locale: 'en',
    },
  },
};

/** A message names itself, an account and a service, all by SIDs; its number of segments is a text. */
const twilio: Pair = {
  name: 'Twilio message to SMS log',
  source: object(
    {
      sid: text('The unique, Twilio-provided string that identifies the Message', { pattern: '^(SM|MM)' }),
      account_sid: text('The SID of the Account associated with the Message', { pattern: '^AC' }),
      from: text('Phone number of the sender, in E.164 format'),
      to: text('Phone number of the recipient, in E.164 format'),
      body: text('The text content of the message'),
      num_segments: text('The number of segments that make up the complete message'),
      date_created: text('The RFC 2822 timestamp of when the Message was created'),
      date_sent: text('The RFC 2822 timestamp of when the Message was sent'),
    },
    {
      messaging_service_sid: text('The SID of the Messaging Service used', { pattern: '^MG' }),
      error_message: text('The description of the error, if the message failed'),
      price: text('The amount billed for the message'),
      price_unit: text('The currency in which price is measured, in ISO 4127 form'),
    },
    { title: 'Message' },
  ),
  target: object(
    {
      messageId: text('Key of the message at the provider'),
      sender: text('Sending number'),
      recipient: text('Number of the receiver'),
      sent: text('Time of sending'),
    },
    {
      text: text('What the message says'),
      failure: text('Why it could not be delivered'),
      cost: text('What the provider charged'),
      currency: text('Currency of the amount billed'),
      parts: integer('Number of segments of the message', { minimum: 1 }),
      read: flag('Whether the recipient has opened it'),
    },
    { title: 'SMS log entry' },
  ),
  right: {
    messageId: 'sid',
    sender: 'from',
    recipient: 'to',
    sent: 'date_sent',
    text: 'body',
    failure: 'error_message',
    cost: 'price',
    currency: 'price_unit',
  },
  expects: 'mapping',
  example: {
    payload: {
      sid: 'SM1',
      account_sid: 'AC1',
      from: '+14155552345',
      to: '+14155552671',
      body: 'The boat leaves at six.',
      num_segments: '1',
      date_created: 'Fri, 24 May 2019 17:18:27 +0000',
      date_sent: 'Fri, 24 May 2019 17:18:28 +0000',
    },
    result: {
      messageId: 'SM1',
      sender: '+14155552345',
      recipient: '+14155552671',
      sent: 'Fri, 24 May 2019 17:18:28 +0000',
      text: 'The boat leaves at six.',
    },
  },
};

export const media: readonly Pair[] = [track, atom, mastodon, twilio];
