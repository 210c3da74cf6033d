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

const githubIssue = object(
  {
    number: integer('Number uniquely identifying the issue within its repository'),
    title: is('schema:name', text('Title of the issue')),
    body: text('Contents of the issue'),
    state: is('schema:creativeWorkStatus', choice(['open', 'closed'], 'State of the issue')),
    html_url: uri(),
    user: by('schema:author', object({ login: text('Handle of the GitHub user who opened the issue') })),
    'assignee?': object({ login: text('Handle of the GitHub user who is assigned to the issue') }),
    labels: list(object({ id: integer(), name: text('The name of the label'), 'color?': text() })),
    created_at: is('schema:dateCreated', dateTime('When the issue was opened')),
    'closed_at?': dateTime('When the issue was closed'),
    'milestone?': object({ title: text('The title of the milestone'), 'due_on?': dateTime() }),
  },
  { title: 'Issue' },
);

const jira: Pair = {
  name: 'GitHub issue to Jira issue, which needs a project',
  source: githubIssue,
  target: object(
    {
      fields: object({
        project: object({ key: text('The key of the project in which the issue is created, such as HR') }),
        summary: text('Title of the issue, in one line'),
        'description?': text('Contents of the issue'),
        'labels?': list(text('Name of a label')),
        'duedate?': date('When the issue is due'),
      }),
    },
    { title: 'Issue create metadata' },
  ),
  right: {
    'fields.summary': 'title',
    'fields.description': 'body',
    'fields.labels[]': 'labels[].name',
  },
  expects: 'none',
};

const gitlab: Pair = {
  name: 'GitHub issue to GitLab issue',
  source: githubIssue,
  target: object(
    {
      title: text('The title of an issue'),
      'description?': text('The contents of an issue, limited to 1,048,576 characters'),
      labels: list(text('Label name'), 'Label names to assign to the new issue'),
      'created_at?': dateTime('When the issue was opened; needs administrator rights'),
      'due_date?': date('The day by which the issue is to be done'),
      'confidential?': flag('Set an issue to be confidential'),
      'weight?': integer('The weight of the issue', { minimum: 0 }),
    },
    { title: 'New issue' },
  ),
  right: { title: 'title', description: 'body', 'labels[]': 'labels[].name', created_at: 'created_at' },
  expects: 'mapping',
  example: {
    payload: {
      number: 1347,
      title: 'Found a bug',
      body: 'It does not start.',
      state: 'open',
      html_url: 'https://github.example/o/r/issues/1347',
      user: { login: 'octocat' },
      labels: [
        { id: 1, name: 'bug', color: 'f29513' },
        { id: 2, name: 'linux' },
      ],
      created_at: '2026-04-22T13:33:48Z',
    },
    result: {
      title: 'Found a bug',
      description: 'It does not start.',
      labels: ['bug', 'linux'],
      created_at: '2026-04-22T13:33:48Z',
    },
  },
};

const disjoint: Pair = {
  name: 'issue states to board columns, of which none is the same',
  source: githubIssue,
  target: object(
    {
      title: text('Title of the issue'),
      state: is('schema:creativeWorkStatus', choice(['To Do', 'In Progress', 'Done'], 'State of the issue')),
    },
    { title: 'Card' },
  ),
  right: { title: 'title' },
  expects: 'none',
};

const slack: Pair = {
  name: 'Slack message to mail, whose recipients it does not know',
  source: object(
    {
      channel: text('ID of the channel in which the message was posted'),
      ts: text('Timestamp of the message, unique within the channel'),
      text: text('The text of the message'),
      user: object({
        id: text('ID of the user who posted'),
        profile: object({
          real_name: text('Full name of the user who sent the message'),
          email: email('Email address of the user who sent the message'),
        }),
      }),
    },
    { title: 'Message' },
  ),
  target: object(
    {
      from: is('schema:sender', email('Email address of the sender of the message')),
      to: list(is('schema:recipient', email('Email address of a recipient of the message')), 'Recipients', {
        minItems: 1,
      }),
      'subject?': text('A subject line'),
      body: text('The text of the message'),
    },
    { title: 'Mail' },
  ),
  right: { from: 'user.profile.email', body: 'text' },
  expects: 'none',
};

const ticket: Pair = {
  name: 'support ticket to mail that answers the customer',
  source: object(
    {
      id: integer('Automatically assigned when the ticket is created'),
      subject: text('The value of the subject field for this ticket'),
      requester: object({
        name: text('Name of the customer who requested this ticket'),
        email: email('Address of the customer who requested this ticket'),
      }),
      assignee: object({
        name: text('Name of the agent currently assigned to the ticket'),
        email: email('Address of the agent currently assigned to the ticket'),
      }),
      priority: choice(
        ['urgent', 'high', 'normal', 'low'],
        'The urgency with which the ticket should be addressed',
      ),
      'satisfaction?': number('Rating that the customer gave', { minimum: 1, maximum: 5 }),
      latest_comment: text('The last thing that was said in the ticket'),
    },
    { title: 'Ticket' },
  ),
  target: object(
    {
      to: list(email('Address of the customer')),
      replyTo: email('Address of the agent'),
      subject: text('Subject of the mail'),
      'headers?': object({ 'X-Priority?': integer('From 1, highest, to 5', { minimum: 1, maximum: 5 }) }),
    },
    { title: 'Mail' },
  ),
  right: { 'to[]': 'requester.email', replyTo: 'assignee.email', subject: 'subject' },
  expects: 'mapping',
  example: {
    payload: {
      id: 35436,
      subject: 'Printer on fire',
      requester: { name: 'Cy', email: 'cy@home.example' },
      assignee: { name: 'Dee', email: 'dee@support.example' },
      priority: 'high',
      latest_comment: 'It still burns.',
    },
    result: { to: ['cy@home.example'], replyTo: 'dee@support.example', subject: 'Printer on fire' },
  },
};

const pay = (members: Parameters<typeof object>[0]) =>
  by(
    'schema:baseSalary',
    object({ currency: is('schema:currency', text('The currency of the salary')), ...members }),
  );

const posting: Pair = {
  name: 'schema.org JobPosting to vacancy of an applicant tracking system',
  source: object(
    {
      title: is('schema:title', text('The title of the job.')),
      description: is('schema:description', text('A description of the item.')),
      datePosted: is('schema:datePosted', date('Publication date of an online listing.')),
      'validThrough?': is('schema:validThrough', date('The date after which the item is no longer valid.')),
      hiringOrganization: by(
        'schema:hiringOrganization',
        object({ name: is('schema:name', text('The name of the item.')), 'sameAs?': uri() }),
      ),
      'jobLocation?': object({ addressLocality: is('schema:addressLocality', text()) }),
      baseSalary: pay({
        minValue: is('schema:minValue', number('The lower value of some characteristic.')),
        maxValue: is('schema:maxValue', number('The upper value of some characteristic.')),
      }),
    },
    { title: 'JobPosting', concepts: ['schema:JobPosting'] },
  ),
  target: object(
    {
      headline: is('schema:title', text('What the vacancy is called')),
      text: is('schema:description', text('What is asked and offered')),
      openedOn: is('schema:datePosted', date('First day online')),
      'closesOn?': is('schema:validThrough', date('Last day online')),
      employer: by('schema:hiringOrganization', object({ name: is('schema:name', text()) })),
      pay: pay({
        from: is('schema:minValue', number('At least')),
        to: is('schema:maxValue', number('At most')),
      }),
      'recruiter?': text('Who of the staff fills the vacancy'),
    },
    { title: 'Vacancy' },
  ),
  right: {
    headline: 'title',
    text: 'description',
    openedOn: 'datePosted',
    closesOn: 'validThrough',
    'employer.name': 'hiringOrganization.name',
    'pay.currency': 'baseSalary.currency',
    'pay.from': 'baseSalary.minValue',
    'pay.to': 'baseSalary.maxValue',
  },
  expects: 'mapping',
  example: {
    payload: {
      title: 'Welder',
      description: 'Ships, mostly.',
      datePosted: '2026-01-05',
      hiringOrganization: { name: 'Yard' },
      baseSalary: { currency: 'EUR', minValue: 30000, maxValue: 38000 },
    },
    result: {
      headline: 'Welder',
      text: 'Ships, mostly.',
      openedOn: '2026-01-05',
      employer: { name: 'Yard' },
      pay: { currency: 'EUR', from: 30000, to: 38000 },
    },
  },
};

const lowestPay: Pair = {
  name: 'job with a minimum salary to one with a maximum',
  source: object(
    {
      role: text('Name of the role'),
      salary: number('Minimum gross salary in euros a year', { minimum: 0 }),
    },
    { title: 'Job' },
  ),
  target: object(
    {
      role: text('Name of the role'),
      salary: number('Maximum gross salary in euros a year', { minimum: 0 }),
    },
    { title: 'Budget line' },
  ),
  right: { role: 'role' },
  expects: 'none',
};

export const work: readonly Pair[] = [jira, gitlab, disjoint, slack, ticket, posting, lowestPay];
