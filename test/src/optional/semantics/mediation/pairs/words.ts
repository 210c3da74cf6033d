import type { Pair } from './pair.ts';
import { date, email, integer, list, object, text } from './schemas.ts';

const vehicle: Pair = {
  name: 'vehicle registration to insurance application, in other words',
  source: object(
    {
      plate: text('Licence plate of the car'),
      make: text('Who built the car'),
      firstUse: date('Day on which the car was first put on the road'),
      keeper: text('To whom the car belongs'),
      'colour?': text('Paint'),
    },
    { title: 'Registration' },
  ),
  target: object(
    {
      registrationMark: text('Characters under which the vehicle is licensed'),
      manufacturer: text('Manufacturer of the vehicle'),
      inServiceSince: date('Start of the use of the vehicle in traffic'),
      owner: text('Owner of the vehicle'),
      'mileage?': integer('Distance that it is driven in a year', { unit: 'km', minimum: 0 }),
    },
    { title: 'Application' },
  ),
  right: { registrationMark: 'plate', manufacturer: 'make', inServiceSince: 'firstUse', owner: 'keeper' },
  expects: 'mapping',
  example: {
    payload: { plate: 'AB 12 345', make: 'Volvo', firstUse: '2019-06-01', keeper: 'Ida Moe' },
    result: {
      registrationMark: 'AB 12 345',
      manufacturer: 'Volvo',
      inServiceSince: '2019-06-01',
      owner: 'Ida Moe',
    },
  },
};

const lead: Pair = {
  name: 'contact form to sales lead, by synonyms',
  source: object(
    {
      forename: text('First name'),
      surname: text('Last name'),
      mail: email('E-mail'),
      'cell?': text('Cell phone'),
      message: text('What would you like to tell us?'),
      'vat?': text('VAT number of your company'),
    },
    { title: 'Contact form' },
  ),
  target: object(
    {
      given: text('Given name'),
      family: text('Family name'),
      contact: email('Electronic mail address'),
      'mobile?': text('Mobile telephone'),
      enquiry: text('Text of the enquiry'),
      'taxId?': text('Value added tax identifier of the business'),
      'score?': integer('How likely a purchase is', { minimum: 0, maximum: 100 }),
    },
    { title: 'Lead' },
  ),
  right: {
    given: 'forename',
    family: 'surname',
    contact: 'mail',
    mobile: 'cell',
    enquiry: 'message',
    taxId: 'vat',
  },
  expects: 'mapping',
  example: {
    payload: { forename: 'Ana', surname: 'Ruiz', mail: 'ana@ruiz.example', message: 'Do you ship?' },
    result: { given: 'Ana', family: 'Ruiz', contact: 'ana@ruiz.example', enquiry: 'Do you ship?' },
  },
};

const menu: Pair = {
  name: 'recipes to a shopping list, in the words of a cook and of a shop',
  source: object(
    {
      dishes: list(
        object({
          dish: text('What is cooked'),
          serves: integer('For how many it is', { minimum: 1 }),
          ingredients: list(
            object({
              ingredient: text('What goes in'),
              'preparation?': text('How it is cut'),
              count: integer('How many of them', { minimum: 1 }),
            }),
          ),
        }),
      ),
    },
    { title: 'Menu' },
  ),
  target: object(
    {
      toBuy: list(
        object({
          good: text('The ingredient to buy'),
          pieces: integer('How many pieces'),
          'aisle?': text('Where in the shop it is'),
        }),
      ),
    },
    { title: 'Shopping list' },
  ),
  right: {
    'toBuy[].good': 'dishes[].ingredients[].ingredient',
    'toBuy[].pieces': 'dishes[].ingredients[].count',
  },
  expects: 'mapping',
  example: {
    payload: {
      dishes: [
        {
          dish: 'Omelette',
          serves: 2,
          ingredients: [
            { ingredient: 'egg', count: 4 },
            { ingredient: 'onion', preparation: 'in rings', count: 1 },
          ],
        },
      ],
    },
    result: {
      toBuy: [
        { good: 'egg', pieces: 4 },
        { good: 'onion', pieces: 1 },
      ],
    },
  },
};

export const words: readonly Pair[] = [vehicle, lead, menu];
