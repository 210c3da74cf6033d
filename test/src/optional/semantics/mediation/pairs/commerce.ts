import type { Pair } from './pair.ts';
import {
  by,
  choice,
  date,
  dateTime,
  email,
  flag,
  integer,
  is,
  list,
  number,
  object,
  text,
  uri,
} from './schemas.ts';

const schemaOrgOrder = object(
  {
    orderNumber: is('schema:orderNumber', text('The identifier of the transaction.')),
    orderDate: is('schema:orderDate', date('Date order was placed.')),
    customer: by(
      'schema:customer',
      object({
        name: is('schema:name', text('The name of the item.')),
        'email?': is('schema:email', email()),
      }),
    ),
    seller: by(
      'schema:seller',
      object({
        name: is('schema:name', text('The name of the item.')),
        'vatID?': is('schema:vatID', text()),
      }),
    ),
    priceCurrency: is('schema:priceCurrency', text('The currency of the price, in ISO 4217.')),
    orderedItem: list(
      object({
        name: is('schema:name', text('The name of the item.')),
        sku: is('schema:sku', text('The Stock Keeping Unit, a merchant-specific identifier for a product.')),
        orderQuantity: is('schema:orderQuantity', integer('The number of the item ordered.', { minimum: 1 })),
      }),
    ),
  },
  { title: 'Order', concepts: ['schema:Order'] },
);

const party = object({ Name: is('schema:name', text('The name of the party')) });

const orderReference = is(
  'schema:orderNumber',
  text('An identifier for the referenced order, assigned by the buyer'),
);

const invoiceNumber: Pair = {
  name: 'schema.org Order to UBL invoice, whose number no order has',
  source: schemaOrgOrder,
  target: object(
    {
      ID: is('ubl:InvoiceID', text('An identifier for this document, assigned by the sender')),
      IssueDate: is(
        'ubl:IssueDate',
        date('The date, assigned by the sender, on which this document was issued'),
      ),
      OrderReference: object({ ID: orderReference }),
      AccountingCustomerParty: by('schema:customer', party),
      AccountingSupplierParty: by('schema:seller', party),
    },
    { title: 'Invoice' },
  ),
  prefixes: { ubl: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2#' },
  right: {
    'OrderReference.ID': 'orderNumber',
    'AccountingCustomerParty.Name': 'customer.name',
    'AccountingSupplierParty.Name': 'seller.name',
  },
  expects: 'none',
};

const orderResponse: Pair = {
  name: 'schema.org Order to UBL order response, two parties told apart by predicates',
  source: schemaOrgOrder,
  target: object(
    {
      OrderReference: object({ ID: orderReference }),
      BuyerCustomerParty: by('schema:customer', party),
      SellerSupplierParty: by('schema:seller', party),
      OrderLine: list(
        object({
          SellersItemID: is('schema:sku', text('Identifies the item as the seller has it')),
          Quantity: is('schema:orderQuantity', integer('The quantity ordered', { minimum: 0 })),
          'Note?': text('Free-form text pertinent to this line'),
        }),
        'One or more lines',
      ),
    },
    { title: 'OrderResponse' },
  ),
  right: {
    'OrderReference.ID': 'orderNumber',
    'BuyerCustomerParty.Name': 'customer.name',
    'SellerSupplierParty.Name': 'seller.name',
    'OrderLine[].SellersItemID': 'orderedItem[].sku',
    'OrderLine[].Quantity': 'orderedItem[].orderQuantity',
  },
  expects: 'mapping',
  example: {
    payload: {
      orderNumber: 'O-1',
      orderDate: '2026-02-03',
      customer: { name: 'Hotel Mar' },
      seller: { name: 'Linen Ltd' },
      priceCurrency: 'EUR',
      orderedItem: [
        { name: 'Towel', sku: 'T-9', orderQuantity: 40 },
        { name: 'Sheet', sku: 'S-2', orderQuantity: 20 },
      ],
    },
    result: {
      OrderReference: { ID: 'O-1' },
      BuyerCustomerParty: { Name: 'Hotel Mar' },
      SellerSupplierParty: { Name: 'Linen Ltd' },
      OrderLine: [
        { SellersItemID: 'T-9', Quantity: 40 },
        { SellersItemID: 'S-2', Quantity: 20 },
      ],
    },
  },
};

const receipt: Pair = {
  name: 'buyer and seller names to a receipt with one name',
  source: schemaOrgOrder,
  target: object(
    {
      reference: is('schema:orderNumber', text('The identifier of the transaction')),
      name: is('schema:name', text('The name of the party')),
    },
    { title: 'Receipt' },
  ),
  right: { reference: 'orderNumber' },
  expects: 'ambiguous',
};

const address = object({
  name: text('Full name of the person at this address'),
  address1: text('Street and house number'),
  'address2?': text('Apartment, suite or floor'),
  city: text('City, town or village'),
  zip: text('Postal code'),
  country_code: text('Country, as two letters of ISO 3166-1', { pattern: '^[A-Z]{2}$' }),
});

const shopOrder = object(
  {
    id: integer('Identifier of the order, for the API'),
    name: text('Identifier of the order that the customer sees, such as #1001'),
    'email?': email('The customer’s email address'),
    created_at: dateTime('When the order was placed'),
    'cancelled_at?': dateTime('When the order was cancelled'),
    billing_address: by('schema:billingAddress', {
      ...address,
      description: 'The address associated with the payment method',
    }),
    shipping_address: { ...address, description: 'Where the order is to be shipped' },
    subtotal_price: number('Sum of the line items after discounts, in euros, before tax and shipping'),
    total_tax: number('Sum of all taxes, in euros'),
    total_price: number('Sum of line items, taxes and shipping, in euros'),
    taxes_included: flag(),
  },
  { title: 'Order' },
);

const destination = object({
  recipientName: text('Full name of the person'),
  street: text('Street and house number'),
  town: text('Town or city'),
  postcode: text('Postal code'),
});

const parcel: Pair = {
  name: 'billing and shipping address to a parcel label',
  source: shopOrder,
  target: object(
    {
      reference: text('Identifier of the order, as the customer sees it'),
      shipTo: { ...destination, description: 'Where the parcel is to be shipped' },
      'pickupAt?': dateTime('When the carrier is to fetch the parcel'),
    },
    { title: 'Label' },
  ),
  right: {
    reference: 'name',
    'shipTo.recipientName': 'shipping_address.name',
    'shipTo.street': 'shipping_address.address1',
    'shipTo.town': 'shipping_address.city',
    'shipTo.postcode': 'shipping_address.zip',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 450789469,
      name: '#1001',
      created_at: '2026-01-10T11:00:00+01:00',
      billing_address: { name: 'Bo Lau', address1: 'Kaj 3', city: 'Aarhus', zip: '8000', country_code: 'DK' },
      shipping_address: {
        name: 'Eva Lau',
        address1: 'Vej 5',
        city: 'Odense',
        zip: '5000',
        country_code: 'DK',
      },
      subtotal_price: 80,
      total_tax: 20,
      total_price: 105,
      taxes_included: false,
    },
    result: {
      reference: '#1001',
      shipTo: { recipientName: 'Eva Lau', street: 'Vej 5', town: 'Odense', postcode: '5000' },
    },
  },
};

const customerRecord: Pair = {
  name: 'billing and shipping address to a customer with one address',
  source: shopOrder,
  target: object(
    { address: { ...destination, description: 'Postal address of the customer' } },
    { title: 'Customer record' },
  ),
  right: {},
  expects: 'ambiguous',
};

const minorUnits: Pair = {
  name: 'order total in euros to an amount in cents',
  source: shopOrder,
  target: object(
    {
      amount: integer('Amount to collect, in cents', { minimum: 50 }),
      'receipt_email?': email('Email address of the customer, to which the receipt goes'),
    },
    { title: 'Payment' },
  ),
  right: { receipt_email: 'email' },
  expects: 'none',
};

const offer = is(
  'schema:Offer',
  object({
    price: is('schema:price', number('The offer price of a product', { minimum: 0 })),
    priceCurrency: is('schema:priceCurrency', text('The currency of the price')),
    'availability?': is(
      'schema:availability',
      choice(['InStock', 'OutOfStock', 'PreOrder'], 'The availability of this item'),
    ),
  }),
);

const product: Pair = {
  name: 'schema.org Product to catalogue row',
  source: object(
    {
      sku: is(
        'schema:sku',
        text('The Stock Keeping Unit, i.e. a merchant-specific identifier for a product.', { maxLength: 50 }),
      ),
      'gtin13?': is('schema:gtin13', text('The GTIN-13 code of the product.', { pattern: '^\\d{13}$' })),
      name: is('schema:name', text('The name of the item.')),
      description: is('schema:description', text('A description of the item.')),
      image: is('schema:image', uri('An image of the item.')),
      'brand?': object({ name: is('schema:name', text('The name of the brand.')) }),
      offers: offer,
    },
    { title: 'Product', concepts: ['schema:Product'] },
  ),
  target: object(
    {
      id: text('Identifier of the product, unique for the merchant', { maxLength: 50 }),
      title: text('Name of the product'),
      description: text('Description of the product'),
      image_link: uri('Where the main image of the product is'),
      price: is('schema:price', number('What the product costs')),
      currency: is('schema:priceCurrency', text()),
      'availability?': is(
        'schema:availability',
        choice(['InStock', 'OutOfStock', 'PreOrder', 'BackOrder'], 'Availability of the product'),
      ),
      'google_product_category?': text('Category, in the taxonomy of the catalogue'),
    },
    { title: 'Catalogue row' },
  ),
  right: {
    id: 'sku',
    title: 'name',
    description: 'description',
    image_link: 'image',
    price: 'offers.price',
    currency: 'offers.priceCurrency',
    availability: 'offers.availability',
  },
  expects: 'mapping',
  example: {
    payload: {
      sku: 'K-7',
      name: 'Kettle',
      description: 'Boils a litre.',
      image: 'https://shop.example/k7.jpg',
      offers: { price: 29.5, priceCurrency: 'EUR', availability: 'InStock' },
    },
    result: {
      id: 'K-7',
      title: 'Kettle',
      description: 'Boils a litre.',
      image_link: 'https://shop.example/k7.jpg',
      price: 29.5,
      currency: 'EUR',
      availability: 'InStock',
    },
  },
};

export const commerce: readonly Pair[] = [
  invoiceNumber,
  orderResponse,
  receipt,
  parcel,
  customerRecord,
  minorUnits,
  product,
];
