import type { Pair } from '../pair.ts';
import {
  choice,
  day,
  flag,
  integer,
  is,
  link,
  list,
  mail,
  number,
  object,
  tagged,
  text,
  time,
} from './shape.ts';

/** An archived card is not a completed one, and a card names its list and its board beside itself. */
const trello: Pair = {
  name: 'Trello card to task',
  source: object(
    {
      id: text('The ID of the card'),
      idBoard: text('The ID of the board that the card is on'),
      idList: text('The ID of the list that the card is in'),
      name: text('Name of the card', { maxLength: 16_384 }),
      closed: flag('Whether the card is closed (archived)'),
      dueComplete: flag('Whether the card is marked complete'),
      dateLastActivity: time('When the card was last acted upon'),
      shortUrl: link('URL of the card, without its name'),
    },
    {
      desc: text('The description of the card', { maxLength: 16_384 }),
      due: time('Due date of the card'),
      start: time('Start date of the card'),
      idMembers: list(text(), 'IDs of the members who are on the card'),
      labels: list(object({ id: text(), name: text('Name of the label') }, { color: text() })),
    },
    { title: 'Card' },
  ),
  target: object(
    {
      title: text('What the task is called', tagged('schema:name')),
      externalId: text('ID of the card it was imported from', tagged('schema:identifier')),
      done: flag('Whether it has been completed'),
    },
    {
      notes: text('Longer description of what is to be done', tagged('schema:description')),
      deadline: time('Until when it has to be done: the due date'),
      begin: time('Not to be started earlier', tagged('schema:startTime')),
      labels: list(text('Label, for filtering')),
      link: link('Link that opens the card', tagged('schema:url')),
      effort: number('Estimated effort', { unit: 'h' }),
    },
    { title: 'Task', concepts: ['schema:Action'] },
  ),
  right: {
    title: 'name',
    externalId: 'id',
    done: 'dueComplete',
    notes: 'desc',
    deadline: 'due',
    begin: 'start',
    'labels[]': 'labels[].name',
    link: 'shortUrl',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'c1',
      idBoard: 'b1',
      idList: 'l1',
      name: 'Paint the door',
      closed: true,
      dueComplete: false,
      dateLastActivity: '2024-05-05T10:00:00Z',
      shortUrl: 'https://trello.com/c/c1',
      due: '2024-05-09T12:00:00Z',
      labels: [
        { id: 'x', name: 'house' },
        { id: 'y', name: 'summer' },
      ],
    },
    result: {
      title: 'Paint the door',
      externalId: 'c1',
      done: false,
      deadline: '2024-05-09T12:00:00Z',
      labels: ['house', 'summer'],
      link: 'https://trello.com/c/c1',
    },
  },
};

/** Three people are in a ticket, each by a number; its states are others than those of a case. */
const zendesk: Pair = {
  name: 'Zendesk ticket to support case',
  prefixes: { desk: 'https://desk.example.org/terms#' },
  source: object(
    {
      id: integer('Automatically assigned when the ticket is created', tagged('desk:caseNumber')),
      subject: text('The value of the subject field for this ticket', tagged('desk:subject')),
      requester_id: integer('The user who requested this ticket', tagged('desk:customer')),
      submitter_id: integer('The user who submitted the ticket; becomes the author of the first comment'),
      created_at: time('When this record was created'),
      updated_at: time('When this record last got updated'),
      status: choice(['new', 'open', 'pending', 'hold', 'solved', 'closed'], 'The state of the ticket'),
    },
    {
      description: text('Read-only first comment on the ticket'),
      assignee_id: integer('The agent currently assigned to the ticket', tagged('desk:agent')),
      organization_id: integer('The organization of the requester'),
      group_id: integer('The group this ticket is assigned to'),
      priority: choice(
        ['urgent', 'high', 'normal', 'low'],
        'The urgency with which the ticket should be addressed',
      ),
      tags: list(text(), 'The array of tags applied to this ticket'),
    },
    { title: 'Ticket' },
  ),
  target: object(
    {
      caseNumber: integer('Number under which the case is kept', tagged('desk:caseNumber')),
      subject: text('', tagged('desk:subject')),
      customer: integer('Number of the person whose problem it is', tagged('desk:customer')),
      received: time('Creation time of the ticket'),
    },
    {
      agent: integer('Number of the person who works on it', tagged('desk:agent')),
      urgency: choice(['urgent', 'high', 'normal', 'low'], 'How urgent the case is'),
      status: choice(['active', 'waiting', 'finished'], 'The state of the case'),
      solvedAt: time('When the problem was solved'),
      tags: list(text(), 'Tags applied to the case'),
    },
    { title: 'Support case' },
  ),
  right: {
    caseNumber: 'id',
    subject: 'subject',
    customer: 'requester_id',
    received: 'created_at',
    agent: 'assignee_id',
    urgency: 'priority',
    'tags[]': 'tags[]',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 35_436,
      subject: 'The printer is on fire',
      requester_id: 20_978,
      submitter_id: 76_872,
      created_at: '2024-07-20T22:55:29Z',
      updated_at: '2024-07-21T05:05:38Z',
      status: 'hold',
      assignee_id: 235_323,
      organization_id: 509_974,
      priority: 'high',
      tags: ['printer'],
    },
    result: {
      caseNumber: 35_436,
      subject: 'The printer is on fire',
      customer: 20_978,
      received: '2024-07-20T22:55:29Z',
      agent: 235_323,
      urgency: 'high',
      tags: ['printer'],
    },
  },
};

/** A title is a job on one side and a salutation on the other; both telephones have one concept. */
const lead: Pair = {
  name: 'Salesforce lead to CRM contact',
  source: object(
    {
      LastName: text('Last name of the lead', { ...tagged('schema:familyName'), maxLength: 80 }),
      Company: text('The company of the lead', tagged('schema:worksFor')),
      Email: mail('Email address of the lead', tagged('schema:email')),
      Status: text('Status code of this converted lead'),
    },
    {
      FirstName: text('First name of the lead', { ...tagged('schema:givenName'), maxLength: 40 }),
      Salutation: text('Salutation of the lead', tagged('schema:honorificPrefix')),
      Title: text('Title of the lead, such as CFO or CEO', tagged('schema:jobTitle')),
      Phone: text('Phone number of the lead', tagged('schema:telephone')),
      MobilePhone: text('Mobile phone number of the lead', tagged('schema:telephone')),
      LeadSource: text('Source from which the lead was obtained'),
      NumberOfEmployees: integer('Number of employees at the company of the lead', { minimum: 0 }),
      IsConverted: flag('Whether the lead has been converted'),
    },
    { title: 'Lead', concepts: ['schema:Person'] },
  ),
  target: object(
    {
      surname: text('Family name', tagged('schema:familyName')),
      email: mail('Where to write to', tagged('schema:email')),
    },
    {
      forename: text('', tagged('schema:givenName')),
      title: text('How the person is addressed, such as Dr', tagged('schema:honorificPrefix')),
      role: text('What the person does at work', tagged('schema:jobTitle')),
      organization: text('Employer', tagged('schema:worksFor')),
      mobile: text('Mobile phone number', tagged('schema:telephone')),
      birthday: day('', tagged('schema:birthDate')),
    },
    { title: 'Contact', concepts: ['schema:Person'] },
  ),
  right: {
    surname: 'LastName',
    email: 'Email',
    forename: 'FirstName',
    title: 'Salutation',
    role: 'Title',
    organization: 'Company',
    mobile: 'MobilePhone',
  },
  expects: 'mapping',
  example: {
    payload: {
      LastName: 'Okafor',
      Company: 'Nile Mills',
      Email: 'ada@mills.example',
      Status: 'Open',
      Title: 'CFO',
      Phone: '+234 1 555 0100',
      MobilePhone: '+234 80 555 0101',
    },
    result: {
      surname: 'Okafor',
      email: 'ada@mills.example',
      role: 'CFO',
      organization: 'Nile Mills',
      mobile: '+234 80 555 0101',
    },
  },
};

/** The least and the most that is paid have the same type and nearly the same words. */
const posting: Pair = {
  name: 'schema.org JobPosting to ranking input',
  source: object(
    {
      title: text('The title of the job', is('schema:title')),
      description: text('A description of the item', is('schema:description')),
      datePosted: day('Publication date of the posting', is('schema:datePosted')),
      hiringOrganization: object(
        { name: text('', is('schema:name')) },
        { sameAs: link('', is('schema:sameAs')) },
        { ...is('schema:hiringOrganization'), concepts: ['schema:Organization'] },
      ),
    },
    {
      validThrough: day('The date after which the item is not valid', is('schema:validThrough')),
      baseSalary: object(
        {
          minValue: number('The lower value', { ...is('schema:minValue'), minimum: 0 }),
          maxValue: number('The upper value', { ...is('schema:maxValue'), minimum: 0 }),
        },
        { currency: text('ISO 4217', is('schema:currency')), unitText: text('', is('schema:unitText')) },
        { ...is('schema:baseSalary'), concepts: ['schema:MonetaryAmount'] },
      ),
      skills: list(text(), '', is('schema:skills')),
      totalJobOpenings: integer('Number of positions open', is('schema:totalJobOpenings')),
    },
    { title: 'JobPosting', concepts: ['schema:JobPosting'] },
  ),
  target: object(
    {
      role: text('What the job is called', is('schema:title')),
      prose: text('Text that candidates are compared with', is('schema:description')),
      employer: text('Name of the hiring organization', is('schema:name')),
    },
    {
      closes: day('Last day on which one may apply', is('schema:validThrough')),
      payTo: number('Most that is paid', { ...is('schema:maxValue'), minimum: 0 }),
      payFrom: number('Least that is paid', { ...is('schema:minValue'), minimum: 0 }),
      skills: list(text(), 'Skills that are asked for', is('schema:skills')),
      seniority: choice(['junior', 'senior'], 'Level of experience'),
    },
    { title: 'Ranking input', concepts: ['schema:JobPosting'] },
  ),
  right: {
    role: 'title',
    prose: 'description',
    employer: 'hiringOrganization.name',
    closes: 'validThrough',
    payTo: 'baseSalary.maxValue',
    payFrom: 'baseSalary.minValue',
    'skills[]': 'skills[]',
  },
  expects: 'mapping',
  example: {
    payload: {
      title: 'Miller',
      description: 'Grinds what is brought.',
      datePosted: '2024-01-02',
      hiringOrganization: { name: 'Nile Mills' },
      baseSalary: { minValue: 30_000, maxValue: 38_000, currency: 'EUR' },
      skills: ['grain', 'stone'],
    },
    result: {
      role: 'Miller',
      prose: 'Grinds what is brought.',
      employer: 'Nile Mills',
      payTo: 38_000,
      payFrom: 30_000,
      skills: ['grain', 'stone'],
    },
  },
};

const hours = (description: string) => number(description, { minimum: 0, maximum: 24, unit: 'h' });

/** Hours planned are not hours worked, and who approves is not who is paid. */
const timesheet: Pair = {
  name: 'Timesheet to payroll lines',
  source: object(
    {
      employee: object({ number: text('Staff number of the employee'), name: text() }),
      approver: object({ number: text('Staff number of the manager who approves'), name: text() }),
      entries: list(
        object(
          {
            date: day('Day that the entry is of'),
            planned: hours('Hours that were planned in the roster'),
            actual: hours('Hours that were actually worked'),
            project: text('Code of the project'),
          },
          { comment: text('Remark by the employee') },
        ),
        'One entry for each day and project',
        { minItems: 1 },
      ),
    },
    { submittedAt: time('When the timesheet was handed in') },
    { title: 'Timesheet' },
  ),
  target: object(
    {
      payee: text('Personnel number of the employee'),
      lines: list(
        object(
          { on: day('Calendar day'), worked: hours('Actual working hours, which are paid') },
          {
            project: text('Project that bears the cost'),
            rate: number('Pay for an hour', { minimum: 0 }),
          },
        ),
        '',
        { minItems: 1 },
      ),
    },
    { period: text('Month of the pay run') },
    { title: 'Payroll lines' },
  ),
  right: {
    payee: 'employee.number',
    'lines[].on': 'entries[].date',
    'lines[].worked': 'entries[].actual',
    'lines[].project': 'entries[].project',
  },
  expects: 'mapping',
  example: {
    payload: {
      employee: { number: 'E7', name: 'Ines' },
      approver: { number: 'E1', name: 'Otto' },
      entries: [
        { date: '2024-09-02', planned: 8, actual: 9.5, project: 'dam' },
        { date: '2024-09-03', planned: 8, actual: 6, project: 'lock' },
      ],
    },
    result: {
      payee: 'E7',
      lines: [
        { on: '2024-09-02', worked: 9.5, project: 'dam' },
        { on: '2024-09-03', worked: 6, project: 'lock' },
      ],
    },
  },
};

export const work: readonly Pair[] = [trello, zendesk, lead, posting, timesheet];
