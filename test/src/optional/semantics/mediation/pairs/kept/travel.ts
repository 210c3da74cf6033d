import type { Pair } from '../pair.ts';
import { choice, day, flag, integer, is, link, list, number, object, tagged, text, time } from './shape.ts';

const latitude = { minimum: -90, maximum: 90 };
const longitude = { minimum: -180, maximum: 180 };

/** Names of tags have colons; operator and brand are names too. */
const place: Pair = {
  name: 'OpenStreetMap node to venue',
  source: object(
    {
      id: integer('Unique among nodes', { minimum: 1 }),
      lat: number('Latitude in degrees, WGS 84', { ...latitude, ...is('schema:latitude') }),
      lon: number('Longitude in degrees, WGS 84', { ...longitude, ...is('schema:longitude') }),
      tags: object(
        { name: text('The primary name, as it is signed on the ground', is('schema:name')) },
        {
          'addr:street': text('Name of the street of the address'),
          'addr:housenumber': text('Number of the house in the street'),
          'addr:city': text('Name of the city as given in postal addresses', is('schema:addressLocality')),
          'addr:postcode': text('Postal code of the address', is('schema:postalCode')),
          brand: text('The identity of a chain'),
          cuisine: text('The type of food served'),
          opening_hours: text('When the place is open', is('schema:openingHours')),
          operator: text('Name of the company that runs it'),
          phone: text('Telephone number in international format', is('schema:telephone')),
          website: link('Official website of the place', is('schema:url')),
        },
      ),
    },
    { version: integer('Edit version of the node'), changeset: integer('Changeset of the last edit') },
    { title: 'Node' },
  ),
  target: object(
    {
      title: text('What the venue is called', is('schema:name')),
      geo: object({
        x: number('Degrees east', { ...longitude, ...is('schema:longitude') }),
        y: number('Degrees north', { ...latitude, ...is('schema:latitude') }),
      }),
    },
    {
      city: text('', is('schema:addressLocality')),
      zip: text('', is('schema:postalCode')),
      call: text('Telephone number', is('schema:telephone')),
      hours: text('When guests are let in', is('schema:openingHours')),
      site: link('', is('schema:url')),
      capacity: integer('How many guests fit', { ...is('schema:maximumAttendeeCapacity'), minimum: 0 }),
    },
    { title: 'Venue', concepts: ['schema:Place'] },
  ),
  right: {
    title: 'tags.name',
    'geo.x': 'lon',
    'geo.y': 'lat',
    city: 'tags.addr:city',
    zip: 'tags.addr:postcode',
    call: 'tags.phone',
    hours: 'tags.opening_hours',
    site: 'tags.website',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 240_090_160,
      lat: 48.858,
      lon: 2.2945,
      tags: { name: 'Le Phare', 'addr:city': 'Paris', brand: 'Phares', phone: '+33 1 55 55 01 00' },
    },
    result: { title: 'Le Phare', geo: { x: 2.2945, y: 48.858 }, city: 'Paris', call: '+33 1 55 55 01 00' },
  },
};

const movement = (way: string) =>
  object(
    {
      iataCode: text(`IATA code of the airport of ${way}`, { pattern: '^[A-Z]{3}$' }),
      scheduled: time(`Scheduled time of ${way}`),
    },
    { estimated: time(`Estimated time of ${way}`), terminal: text(`Terminal of ${way}`), actual: time() },
  );

/** Departure and arrival, each scheduled, estimated and actual. */
const flight: Pair = {
  name: 'Flight booking to calendar entry',
  source: object(
    {
      recordLocator: text('Code of the booking in the reservation system', { pattern: '^[A-Z0-9]{6}$' }),
      number: text('Number of the flight with the code of the carrier'),
      departure: movement('departure'),
      arrival: movement('arrival'),
      passengers: list(
        object(
          { name: text('Name of the passenger') },
          { seat: text('Seat'), ticket: text('Number of the ticket') },
        ),
        'Those who travel',
      ),
    },
    { aircraft: text('Type of the aircraft') },
    { title: 'Flight booking' },
  ),
  target: object(
    {
      summary: text('Number of the flight', tagged('schema:flightNumber')),
      dtend: time('Scheduled time of arrival', tagged('schema:arrivalTime')),
      dtstart: time('Scheduled time of departure', tagged('schema:departureTime')),
      location: text('Airport of departure, its IATA code'),
    },
    {
      attendees: list(object({ cn: text('Name of the passenger') })),
      booking: text('Code of the booking', tagged('schema:reservationId')),
      organizer: text('Who made the entry'),
    },
    { title: 'Calendar entry' },
  ),
  right: {
    summary: 'number',
    dtend: 'arrival.scheduled',
    dtstart: 'departure.scheduled',
    location: 'departure.iataCode',
    'attendees[].cn': 'passengers[].name',
    booking: 'recordLocator',
  },
  expects: 'mapping',
  example: {
    payload: {
      recordLocator: 'QX7RT2',
      number: 'LH401',
      departure: {
        iataCode: 'JFK',
        scheduled: '2024-06-01T16:00:00-04:00',
        estimated: '2024-06-01T17:10:00-04:00',
      },
      arrival: { iataCode: 'FRA', scheduled: '2024-06-02T05:45:00+02:00' },
      passengers: [{ name: 'Rose Roe', seat: '12A' }],
    },
    result: {
      summary: 'LH401',
      dtend: '2024-06-02T05:45:00+02:00',
      dtstart: '2024-06-01T16:00:00-04:00',
      location: 'JFK',
      attendees: [{ cn: 'Rose Roe' }],
      booking: 'QX7RT2',
    },
  },
};

/** One name on both sides: a day that is hoped for, and the day on which it happened. */
const parcel: Pair = {
  name: 'Parcel tracking to proof of delivery',
  source: object(
    {
      trackingNumber: text('Number by which the parcel is tracked'),
      deliveryDate: day('Day on which delivery is expected'),
      shipDate: day('Day on which the shipper handed the parcel over'),
    },
    {
      recipient: object({ name: text('Name of the recipient') }, { city: text('City of the recipient') }),
      shipper: object({ name: text('Name of the shipper') }, { city: text('City of the shipper') }),
      attempts: integer('How often delivery was attempted', { minimum: 0 }),
    },
    { title: 'Tracking' },
  ),
  target: object(
    {
      trackingNumber: text('Parcel number, as printed below the bar code'),
      deliveryDate: day('Day on which the parcel was in fact received'),
    },
    {
      recipient: text('Addressee'),
      signature: text('Image of the signature', { contentEncoding: 'base64' }),
    },
    { title: 'Proof of delivery' },
  ),
  right: { trackingNumber: 'trackingNumber', recipient: 'recipient.name' },
  expects: 'none',
};

const kilograms = (predicate: string, description = '') =>
  number(description, { ...is(predicate), minimum: 0, unit: 'kg' });

/** Parcels in consignments; weights with and without what is packed around the goods. */
const manifest: Pair = {
  name: 'Shipment manifest to customs lines',
  prefixes: { gs1: 'https://gs1.org/voc/' },
  source: object(
    {
      shipFrom: object({ country: text('', is('gs1:countryCode')) }, {}, is('gs1:shipFrom')),
      shipTo: object({ country: text('', is('gs1:countryCode')) }, {}, is('gs1:shipTo')),
      consignments: list(
        object(
          {
            ginc: text('Global identification number of the consignment', is('gs1:ginc')),
            units: list(
              object(
                {
                  sscc: text('Serial shipping container code', { ...is('gs1:sscc'), pattern: '^[0-9]{18}$' }),
                  grossWeight: kilograms('gs1:grossWeight', 'Weight with the packaging'),
                  netWeight: kilograms('gs1:netWeight', 'Weight of the goods alone'),
                },
                { dangerous: flag('Whether it holds dangerous goods') },
              ),
            ),
          },
          { carrier: text('Who carries it') },
        ),
      ),
    },
    {},
    { title: 'Manifest' },
  ),
  target: object(
    {
      destination: object(
        { country: text('Where the goods go', is('gs1:countryCode')) },
        {},
        is('gs1:shipTo'),
      ),
      groups: list(
        object({
          number: text('', is('gs1:ginc')),
          boxes: list(
            object(
              {
                code: text('', { ...is('gs1:sscc'), pattern: '^[0-9]{18}$' }),
                weight: kilograms('gs1:netWeight', 'Duty is taken on this weight'),
              },
              { tariff: text('', is('gs1:importClassificationValue')) },
            ),
          ),
        }),
      ),
    },
    {},
    { title: 'Customs lines' },
  ),
  right: {
    'destination.country': 'shipTo.country',
    'groups[].number': 'consignments[].ginc',
    'groups[].boxes[].code': 'consignments[].units[].sscc',
    'groups[].boxes[].weight': 'consignments[].units[].netWeight',
  },
  expects: 'mapping',
  example: {
    payload: {
      shipFrom: { country: 'CN' },
      shipTo: { country: 'DE' },
      consignments: [
        {
          ginc: '9501101530003',
          units: [
            { sscc: '106141412345678908', grossWeight: 12, netWeight: 10.5 },
            { sscc: '106141412345678915', grossWeight: 3, netWeight: 2.25, dangerous: true },
          ],
        },
        { ginc: '9501101530010', units: [{ sscc: '106141412345678922', grossWeight: 8, netWeight: 8 }] },
      ],
    },
    result: {
      destination: { country: 'DE' },
      groups: [
        {
          number: '9501101530003',
          boxes: [
            { code: '106141412345678908', weight: 10.5 },
            { code: '106141412345678915', weight: 2.25 },
          ],
        },
        { number: '9501101530010', boxes: [{ code: '106141412345678922', weight: 8 }] },
      ],
    },
  },
};

/** The distance stands there in miles and in kilometres, and only the unit tells which is which. */
const vehicle: Pair = {
  name: 'Vehicle history to dealer record',
  source: object(
    {
      vin: text('Vehicle identification number', {
        ...tagged('schema:vehicleIdentificationNumber'),
        pattern: '^[A-Z0-9]{17}$',
      }),
      odometer: object({
        imperial: number('Total distance travelled', {
          ...tagged('schema:mileageFromOdometer'),
          minimum: 0,
          unit: 'mi',
        }),
        metric: number('Total distance travelled', {
          ...tagged('schema:mileageFromOdometer'),
          minimum: 0,
          unit: 'km',
        }),
      }),
      kerbWeight: number('Weight of the empty vehicle', { minimum: 0, unit: 'kg' }),
      grossWeight: number('Weight that the loaded vehicle may have', { minimum: 0, unit: 'kg' }),
    },
    {
      firstRegistration: day(
        'When the vehicle was first registered',
        tagged('schema:dateVehicleFirstRegistered'),
      ),
      owners: integer('How many owners it has had', { minimum: 0 }),
      fuel: choice(['petrol', 'diesel', 'electric'], 'What it runs on', tagged('schema:fuelType')),
    },
    { title: 'Vehicle history', concepts: ['schema:Vehicle'] },
  ),
  target: object(
    {
      chassis: text('', { ...tagged('schema:vehicleIdentificationNumber'), pattern: '^[A-Z0-9]{17}$' }),
      driven: number('How far it has come', {
        ...tagged('schema:mileageFromOdometer'),
        minimum: 0,
        unit: 'km',
      }),
    },
    {
      emptyWeight: number('Unladen mass of the vehicle', { minimum: 0, unit: 'kg' }),
      engine: choice(['petrol', 'diesel', 'electric', 'hydrogen'], '', tagged('schema:fuelType')),
      registered: day('First registration', tagged('schema:dateVehicleFirstRegistered')),
      priceAsked: number('', { minimum: 0, unit: 'EUR' }),
    },
    { title: 'Dealer record', concepts: ['schema:Vehicle'] },
  ),
  right: {
    chassis: 'vin',
    driven: 'odometer.metric',
    emptyWeight: 'kerbWeight',
    engine: 'fuel',
    registered: 'firstRegistration',
  },
  expects: 'mapping',
  example: {
    payload: {
      vin: 'WDB9634031L123456',
      odometer: { imperial: 6213.7, metric: 10_000 },
      kerbWeight: 1420,
      grossWeight: 1950,
      fuel: 'diesel',
    },
    result: { chassis: 'WDB9634031L123456', driven: 10_000, emptyWeight: 1420, engine: 'diesel' },
  },
};

/** Grams are not ounces: the weight is known, but no path holds the number that the label asks for. */
const label: Pair = {
  name: 'Shopify variant to parcel label',
  source: object(
    {
      sku: text('A unique identifier for the variant in the shop'),
      title: text('The title of the product variant'),
      grams: integer('The weight of the product variant', { minimum: 0, unit: 'g' }),
      price: text('The price of the product variant'),
    },
    {
      barcode: text('The barcode, UPC or ISBN number for the product'),
      inventory_quantity: integer('In stock'),
    },
    { title: 'Product variant' },
  ),
  target: object(
    { weight: number('The weight of the product in the parcel', { minimum: 0, unit: 'oz' }) },
    {
      content: text('What is inside, by its title'),
      sku: text('Code that the shop gave the variant'),
      fragile: flag(),
    },
    { title: 'Parcel label' },
  ),
  right: { content: 'title', sku: 'sku' },
  expects: 'none',
};

export const travel: readonly Pair[] = [place, flight, parcel, manifest, vehicle, label];
