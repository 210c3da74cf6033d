import type { Pair } from './pair.ts';
import { choice, dateTime, integer, is, list, number, object, text, uri, uuid } from './schemas.ts';

const position = {
  type: 'array',
  prefixItems: [
    number('Longitude, in degrees east', { minimum: -180, maximum: 180 }),
    number('Latitude, in degrees north', { minimum: -90, maximum: 90 }),
  ],
  items: false,
  minItems: 2,
};

const geo: Pair = {
  name: 'GeoJSON features of OpenStreetMap to address records',
  source: object(
    {
      type: choice(['FeatureCollection']),
      features: list(
        object({
          'id?': text(),
          geometry: object({ type: choice(['Point']), coordinates: position }),
          properties: object({
            'addr:street': text('The name of the street'),
            'addr:housenumber': text('The house number, may contain letters'),
            'addr:postcode': text('The postal code'),
            'addr:city': text('The name of the city'),
            'name?': text('The primary name of the feature, as it stands on the ground'),
          }),
        }),
      ),
    },
    { title: 'Feature collection' },
  ),
  target: object(
    {
      addresses: list(
        object({
          street: text('Name of the street'),
          number: text('House number'),
          postalCode: is('schema:postalCode', text('Postal code')),
          city: text('Name of the city'),
          lat: is('schema:latitude', number('Degrees north', { minimum: -90, maximum: 90 })),
          lon: is('schema:longitude', number('Degrees east', { minimum: -180, maximum: 180 })),
          'inhabitants?': integer('How many people live there', { minimum: 0 }),
        }),
      ),
    },
    { title: 'Address book' },
  ),
  right: {
    'addresses[].street': 'features[].properties.addr:street',
    'addresses[].number': 'features[].properties.addr:housenumber',
    'addresses[].postalCode': 'features[].properties.addr:postcode',
    'addresses[].city': 'features[].properties.addr:city',
    'addresses[].lat': 'features[].geometry.coordinates[1]',
    'addresses[].lon': 'features[].geometry.coordinates[0]',
  },
  expects: 'mapping',
  example: {
    payload: {
      type: 'FeatureCollection',
      features: [
        {
          geometry: { type: 'Point', coordinates: [12.57, 55.68] },
          properties: {
            'addr:street': 'Gade',
            'addr:housenumber': '7B',
            'addr:postcode': '1550',
            'addr:city': 'Copenhagen',
          },
        },
      ],
    },
    result: {
      addresses: [
        { street: 'Gade', number: '7B', postalCode: '1550', city: 'Copenhagen', lat: 55.68, lon: 12.57 },
      ],
    },
  },
};

const rss: Pair = {
  name: 'RSS items to articles',
  source: object(
    {
      channel: object({
        title: text('The name of the channel'),
        link: uri('The URL of the HTML website that corresponds to the channel'),
        'managingEditor?': text('Address of the person responsible for the editorial content'),
        item: list(
          object({
            title: text('The title of the item'),
            link: uri('The URL of the item'),
            'description?': text('The item synopsis'),
            'guid?': text('A string that uniquely identifies the item'),
            pubDate: text('When the item was published, as RFC 822 has it', { pattern: '^\\w{3}, ' }),
          }),
        ),
      }),
    },
    { title: 'RSS' },
  ),
  target: object(
    {
      articles: list(
        object({
          headline: is('schema:headline', text('Title of the article')),
          url: is('schema:url', uri('URL of the article')),
          'abstract?': is('schema:abstract', text('Synopsis of the article')),
          'identifier?': is('schema:identifier', text('String that uniquely identifies the article')),
          'datePublished?': is('schema:datePublished', dateTime('When the article was published')),
          'wordCount?': is('schema:wordCount', integer('How many words the article has')),
        }),
      ),
    },
    { title: 'Articles' },
  ),
  right: {
    'articles[].headline': 'channel.item[].title',
    'articles[].url': 'channel.item[].link',
    'articles[].abstract': 'channel.item[].description',
    'articles[].identifier': 'channel.item[].guid',
  },
  expects: 'mapping',
  example: {
    payload: {
      channel: {
        title: 'Harbour news',
        link: 'https://harbour.example/',
        item: [
          {
            title: 'Crane',
            link: 'https://harbour.example/1',
            description: 'It turns again.',
            pubDate: 'Sun, 19 May 2026 15:21:36 GMT',
          },
        ],
      },
    },
    result: {
      articles: [{ headline: 'Crane', url: 'https://harbour.example/1', abstract: 'It turns again.' }],
    },
  },
};

const tracking: Pair = {
  name: 'shipment tracking to parcel status',
  source: object(
    {
      id: uuid('A system-generated tracking ID'),
      tracking_number: text('Tracking number of the shipment', { minLength: 1 }),
      slug: text('Unique code of the courier'),
      created_at: dateTime('When the shipment was added to the tracking system'),
      expected_delivery: dateTime('When the shipment is expected to be delivered'),
      'signed_by?': text('Name of the person who signed for the delivery'),
      checkpoints: list(
        object({
          checkpoint_time: dateTime('When the checkpoint took place'),
          location: text('Where the checkpoint took place'),
          message: text('What the courier says of the checkpoint'),
          'tag?': choice(['InTransit', 'OutForDelivery', 'Delivered', 'Exception']),
        }),
      ),
    },
    { title: 'Tracking' },
  ),
  target: object(
    {
      parcelNumber: is('schema:trackingNumber', text('Tracking number of the parcel')),
      carrier: text('Code of the courier that carries it'),
      eta: is('schema:expectedArrivalUntil', dateTime('When delivery is expected')),
      history: list(
        object({
          at: dateTime('When it took place'),
          place: text('Where it took place'),
          text: text('What the courier says'),
        }),
        'What has happened to the parcel',
      ),
      'deliveredAt?': dateTime('When it was handed over'),
    },
    { title: 'Parcel status' },
  ),
  right: {
    parcelNumber: 'tracking_number',
    carrier: 'slug',
    eta: 'expected_delivery',
    'history[].at': 'checkpoints[].checkpoint_time',
    'history[].place': 'checkpoints[].location',
    'history[].text': 'checkpoints[].message',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: '0197a5a0-7c1e-7000-8000-000000000001',
      tracking_number: '6129',
      slug: 'fedex',
      created_at: '2026-01-01T00:00:00Z',
      expected_delivery: '2026-01-04T12:00:00Z',
      checkpoints: [{ checkpoint_time: '2026-01-02T06:00:00Z', location: 'Lyon', message: 'Departed' }],
    },
    result: {
      parcelNumber: '6129',
      carrier: 'fedex',
      eta: '2026-01-04T12:00:00Z',
      history: [{ at: '2026-01-02T06:00:00Z', place: 'Lyon', text: 'Departed' }],
    },
  },
};

const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

const log: Pair = {
  name: 'OpenTelemetry log record to Elastic Common Schema',
  prefixes: { otel: 'https://opentelemetry.io/docs/specs/otel/logs/data-model/#' },
  source: object(
    {
      Timestamp: is(
        'otel:field-timestamp',
        dateTime('Time when the event occurred, measured by the origin clock'),
      ),
      ObservedTimestamp: dateTime('Time when the event was observed by the collection system'),
      TraceId: is('otel:field-traceid', text('Request trace id, as defined in W3C Trace Context')),
      SpanId: text('Span id of the processing span'),
      SeverityText: choice(levels, 'The severity text, also known as log level'),
      'SeverityNumber?': integer('Numerical value of the severity', { minimum: 1, maximum: 24 }),
      Body: text('The body of the log record: a message that a person can read'),
      Resource: object({ 'service.name': text('Logical name of the service'), 'service.version?': text() }),
    },
    { title: 'LogRecord' },
  ),
  target: object(
    {
      '@timestamp': is('otel:field-timestamp', dateTime('Date and time when the event originated')),
      message: text('The log message, which a person can read'),
      'log.level': choice([...levels, 'emerg'], 'Log level of the log event'),
      'service.name': text('Name of the service from which the event was collected'),
      'trace.id?': is('otel:field-traceid', text('Unique identifier of the trace')),
      'event.ingested?': dateTime('When the event reached the central data store'),
      'user.name?': text('Short name or login of the user'),
    },
    { title: 'ECS event' },
  ),
  right: {
    '@timestamp': 'Timestamp',
    message: 'Body',
    '["log.level"]': 'SeverityText',
    '["service.name"]': 'Resource["service.name"]',
    '["trace.id"]': 'TraceId',
  },
  expects: 'mapping',
  example: {
    payload: {
      Timestamp: '2026-07-01T10:00:00Z',
      ObservedTimestamp: '2026-07-01T10:00:02Z',
      TraceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      SpanId: '00f067aa0ba902b7',
      SeverityText: 'WARN',
      Body: 'disk is nearly full',
      Resource: { 'service.name': 'shop' },
    },
    result: {
      '@timestamp': '2026-07-01T10:00:00Z',
      message: 'disk is nearly full',
      'log.level': 'WARN',
      'service.name': 'shop',
      'trace.id': '4bf92f3577b34da6a3ce929d0e0e4736',
    },
  },
};

export const records: readonly Pair[] = [geo, rss, tracking, log];
