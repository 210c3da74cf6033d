import type { Pair } from '../pair.ts';
import { choice, day, flag, integer, is, link, list, number, object, tagged, text, time } from './shape.ts';

const reference = (description: string) =>
  object({ sourcedId: text('Identifier', { minLength: 1 }) }, { href: link() }, { description });

/** Four things are referred to by a sourcedId, and only what holds it says which. */
const enrolment: Pair = {
  name: 'OneRoster enrolment to school register',
  source: object(
    {
      sourcedId: text('Identifier of the enrolment', { minLength: 1 }),
      user: reference('The user who is enrolled'),
      class: reference('The class that the user is enrolled in'),
      school: reference('The school at which the class is taught'),
      role: choice(['student', 'teacher', 'proctor', 'administrator'], 'Role of the user in the class'),
    },
    {
      beginDate: day('First day of the enrolment, inclusive'),
      endDate: day('Day on which the enrolment ends, exclusive'),
      dateLastModified: time('When the record was last changed'),
    },
    { title: 'Enrolment' },
  ),
  target: object(
    {
      member: text('Identifier of the user who is enrolled', { minLength: 1 }),
      course: text('Identifier of the class that the user is enrolled in', { minLength: 1 }),
      capacity: choice(['student', 'teacher', 'proctor', 'administrator'], 'Role of the user in the class'),
    },
    {
      until: day('When membership ends'),
      since: day('First day of the enrolment'),
      institution: text('Identifier of the school'),
      locker: text('Number of the locker'),
    },
    { title: 'Register entry' },
  ),
  right: {
    member: 'user.sourcedId',
    course: 'class.sourcedId',
    capacity: 'role',
    until: 'endDate',
    since: 'beginDate',
    institution: 'school.sourcedId',
  },
  expects: 'mapping',
  example: {
    payload: {
      sourcedId: 'e1',
      user: { sourcedId: 'u1' },
      class: { sourcedId: 'c1' },
      school: { sourcedId: 's1' },
      role: 'student',
      beginDate: '2024-08-12',
      endDate: '2025-06-01',
    },
    result: {
      member: 'u1',
      course: 'c1',
      capacity: 'student',
      until: '2025-06-01',
      since: '2024-08-12',
      institution: 's1',
    },
  },
};

const points = (description: string, more = {}) => number(description, { minimum: 0, ...more });

/** Points that were got, that could be got, and that are needed. */
const quiz: Pair = {
  name: 'Quiz attempt to gradebook entry',
  prefixes: { lis: 'http://purl.imsglobal.org/vocab/lis/v2/outcomes#' },
  source: object(
    {
      attempt: integer('Which attempt of the student this is', { minimum: 1 }),
      student: object({ id: text('Identifier of the student', is('lis:resultUser')), name: text() }),
      quiz: object({
        id: text('Identifier of the quiz', is('lis:lineItem')),
        title: text('Title of the quiz'),
      }),
      score: points('Points that the student got', is('lis:resultScore')),
      maxScore: points('Points that can be got at most', is('lis:resultMaximum')),
      passScore: points('Points that are needed to pass'),
    },
    {
      startedAt: time('When the attempt was begun'),
      finishedAt: time('When the attempt was handed in', is('lis:submittedAt')),
      questions: list(
        object(
          { text: text('The question'), answer: text('What the student answered') },
          { points: points('Points') },
        ),
      ),
    },
    { title: 'Quiz attempt' },
  ),
  target: object(
    {
      learner: text('Identifier of the student', is('lis:resultUser')),
      item: text('Identifier of the quiz', is('lis:lineItem')),
      outOf: points('Most that can be got', is('lis:resultMaximum')),
      earned: points('What the student got', is('lis:resultScore')),
    },
    {
      handedIn: time('', is('lis:submittedAt')),
      title: text('Title of the quiz'),
      comment: text('Comment by the teacher', is('lis:comment')),
    },
    { title: 'Gradebook entry' },
  ),
  right: {
    learner: 'student.id',
    item: 'quiz.id',
    outOf: 'maxScore',
    earned: 'score',
    handedIn: 'finishedAt',
    title: 'quiz.title',
  },
  expects: 'mapping',
  example: {
    payload: {
      attempt: 2,
      student: { id: 'u1', name: 'Ines' },
      quiz: { id: 'q1', title: 'Rivers' },
      score: 14,
      maxScore: 20,
      passScore: 10,
      startedAt: '2024-10-01T08:00:00Z',
      finishedAt: '2024-10-01T08:25:00Z',
      questions: [{ text: 'The longest?', answer: 'The Nile', points: 2 }],
    },
    result: {
      learner: 'u1',
      item: 'q1',
      outOf: 20,
      earned: 14,
      handedIn: '2024-10-01T08:25:00Z',
      title: 'Rivers',
    },
  },
};

/** A response and a form each have an identifier; every answer becomes a row of the response. */
const survey: Pair = {
  name: 'Typeform response to answer rows',
  source: object(
    {
      event_id: text('Unique ID for the webhook event'),
      form_response: object(
        {
          form_id: text('Unique ID for the form'),
          token: text('Unique ID for the response'),
          landed_at: time('When the respondent landed on the form'),
          submitted_at: time('When the respondent submitted the form'),
          answers: list(
            object(
              {
                field: object(
                  { id: text('Unique ID of the question that is answered') },
                  { ref: text(), type: text() },
                ),
                text: text('What the respondent answered'),
              },
              { type: text('Type of the answer') },
            ),
            'The answers, in the order of the form',
          ),
        },
        { hidden: object({}, { campaign: text() }) },
      ),
    },
    { event_type: text('Why the webhook was sent') },
    { title: 'Form response' },
  ),
  target: object(
    {
      rows: list(
        object(
          {
            response: text('ID of the response that the row belongs to'),
            question: text('Question, by its ID'),
            answer: text('Answer of the respondent'),
            submitted: time('Time of submission'),
          },
          { weight: number('Weight of the respondent', { minimum: 0 }) },
        ),
        'One row for each answer',
      ),
    },
    { questionnaire: text('ID of the form that was filled in') },
    { title: 'Answer rows' },
  ),
  right: {
    'rows[].response': 'form_response.token',
    'rows[].question': 'form_response.answers[].field.id',
    'rows[].answer': 'form_response.answers[].text',
    'rows[].submitted': 'form_response.submitted_at',
    questionnaire: 'form_response.form_id',
  },
  expects: 'mapping',
  example: {
    payload: {
      event_id: '01EK4R5P',
      form_response: {
        form_id: 'g8hcyeXS',
        token: 'x71for1w',
        landed_at: '2020-09-26T08:23:47Z',
        submitted_at: '2020-09-26T08:25:49Z',
        answers: [
          { field: { id: 'M8JL' }, text: 'Laura' },
          { field: { id: 'JwWg' }, text: 'Rivers', type: 'text' },
        ],
      },
    },
    result: {
      rows: [
        { response: 'x71for1w', question: 'M8JL', answer: 'Laura', submitted: '2020-09-26T08:25:49Z' },
        { response: 'x71for1w', question: 'JwWg', answer: 'Rivers', submitted: '2020-09-26T08:25:49Z' },
      ],
      questionnaire: 'g8hcyeXS',
    },
  },
};

/** Ingredients and tools stand in parts of a recipe; nobody buys tools with the flour. */
const recipe: Pair = {
  name: 'Recipe to shopping list',
  source: object(
    {
      name: text('The name of the recipe', tagged('schema:name')),
      author: object(
        { name: text('Who wrote the recipe', tagged('schema:name')) },
        {},
        tagged('schema:author'),
      ),
      parts: list(
        object({
          title: text('Which part of the dish it is, such as dough or filling'),
          ingredients: list(
            object(
              { food: text('What is used'), grams: number('How much is used', { minimum: 0, unit: 'g' }) },
              { note: text('How it is prepared') },
            ),
            '',
            tagged('schema:recipeIngredient'),
          ),
          tools: list(
            object({ name: text('What it is done with'), grams: number('', { unit: 'g' }) }),
            '',
            tagged('schema:tool'),
          ),
        }),
      ),
    },
    { yield: text('The quantity that the recipe produces', tagged('schema:recipeYield')), vegan: flag() },
    { title: 'Recipe', concepts: ['schema:Recipe'] },
  ),
  target: object(
    {
      dish: text('What is to be cooked', tagged('schema:name')),
      sections: list(
        object({
          heading: text('Part of the dish that the goods go into'),
          goods: list(
            object(
              {
                good: text('What is to be bought'),
                amount: number('How much is needed', { minimum: 0, unit: 'g' }),
              },
              { aisle: text('Where it stands in the shop') },
            ),
            '',
            tagged('schema:recipeIngredient'),
          ),
        }),
      ),
    },
    { shop: text('Where to buy') },
    { title: 'Shopping list' },
  ),
  right: {
    dish: 'name',
    'sections[].heading': 'parts[].title',
    'sections[].goods[].good': 'parts[].ingredients[].food',
    'sections[].goods[].amount': 'parts[].ingredients[].grams',
  },
  expects: 'mapping',
  example: {
    payload: {
      name: 'Apple tart',
      author: { name: 'Rose' },
      parts: [
        {
          title: 'dough',
          ingredients: [
            { food: 'flour', grams: 250 },
            { food: 'butter', grams: 125, note: 'cold' },
          ],
          tools: [{ name: 'rolling pin', grams: 800 }],
        },
        { title: 'filling', ingredients: [{ food: 'apples', grams: 600 }], tools: [] },
      ],
    },
    result: {
      dish: 'Apple tart',
      sections: [
        {
          heading: 'dough',
          goods: [
            { good: 'flour', amount: 250 },
            { good: 'butter', amount: 125 },
          ],
        },
        { heading: 'filling', goods: [{ good: 'apples', amount: 600 }] },
      ],
    },
  },
};

export const learning: readonly Pair[] = [enrolment, quiz, survey, recipe];
