import type { Pair } from './pair.ts';
import { by, choice, date, email, flag, integer, is, list, number, object, text, uri } from './schemas.ts';

const vcard: Pair = {
  name: 'schema.org Person to vCard contact',
  source: object(
    {
      name: is('schema:name', text('The name of the item.')),
      givenName: is('schema:givenName', text('Given name. In the U.S., the first name of a Person.')),
      familyName: is('schema:familyName', text('Family name. In the U.S., the last name of a Person.')),
      email: is('schema:email', email('Email address.')),
      'telephone?': is('schema:telephone', text('The telephone number.')),
      'jobTitle?': is('schema:jobTitle', text('The job title of the person, for example Financial Manager.')),
      'birthDate?': is('schema:birthDate', date('Date of birth.')),
      'honorificPrefix?': is('schema:honorificPrefix', text('An honorific prefix such as Dr or Mrs.')),
      address: is(
        'schema:PostalAddress',
        object({
          streetAddress: is(
            'schema:streetAddress',
            text('The street address, for example 1600 Amphitheatre Pkwy.'),
          ),
          addressLocality: is('schema:addressLocality', text('The locality in which the street address is.')),
          postalCode: is('schema:postalCode', text('The postal code, for example 94043.')),
          'addressCountry?': is('schema:addressCountry', text()),
        }),
      ),
    },
    { title: 'Person', concepts: ['schema:Person'] },
  ),
  target: object(
    {
      fn: is(
        'schema:name',
        text('The formatted text that corresponds to the name of the object the vCard represents'),
      ),
      n: object({
        family: is('schema:familyName', text('Surname')),
        given: is('schema:givenName', text('Given name')),
        'prefixes?': is('schema:honorificPrefix', text()),
      }),
      email: is('schema:email', email('Electronic mail address for communication')),
      'tel?': is('schema:telephone', text('Number for telephony communication')),
      'title?': is('schema:jobTitle', text('The position or job of the object')),
      'bday?': is('schema:birthDate', date()),
      adr: object({
        street: is('schema:streetAddress', text('Street')),
        locality: is('schema:addressLocality', text('City')),
        code: is('schema:postalCode', text()),
        'country?': is('schema:addressCountry', text('Country name')),
      }),
      'note?': text('Supplemental information or a comment'),
    },
    { title: 'vCard', concepts: ['schema:Person'] },
  ),
  right: {
    fn: 'name',
    'n.family': 'familyName',
    'n.given': 'givenName',
    'n.prefixes': 'honorificPrefix',
    email: 'email',
    tel: 'telephone',
    title: 'jobTitle',
    bday: 'birthDate',
    'adr.street': 'address.streetAddress',
    'adr.locality': 'address.addressLocality',
    'adr.code': 'address.postalCode',
    'adr.country': 'address.addressCountry',
  },
  expects: 'mapping',
  example: {
    payload: {
      name: 'Ana Ruiz',
      givenName: 'Ana',
      familyName: 'Ruiz',
      email: 'ana@ruiz.example',
      jobTitle: 'Architect',
      address: { streetAddress: 'Calle Luna 4', addressLocality: 'Cadiz', postalCode: '11001' },
    },
    result: {
      fn: 'Ana Ruiz',
      n: { family: 'Ruiz', given: 'Ana' },
      email: 'ana@ruiz.example',
      title: 'Architect',
      adr: { street: 'Calle Luna 4', locality: 'Cadiz', code: '11001' },
    },
  },
};

const resume: Pair = {
  name: 'professional network profile to JSON Resume',
  source: object(
    {
      id: text('Unique identifying value for the member'),
      formattedName: text('The member’s full name, formatted for the language'),
      headline: text('Headline that the member wrote for the profile, such as a profession'),
      emailAddress: email('Primary e-mail address of the member'),
      'publicProfileUrl?': uri('Address of the member’s public profile page'),
      'summary?': text('Long text in which the member describes their professional profile'),
      'numConnections?': integer('Number of connections that the member has', { minimum: 0 }),
      positions: list(
        object({
          companyName: text('Name of the company at which the position was held'),
          title: text('Job title held at the company'),
          startDate: date('When the member began the position'),
          'endDate?': date('When the member left the position; absent for a current one'),
          'locationName?': text('Where the position was'),
        }),
        'Positions that the member has had',
      ),
      educations: list(
        object({
          schoolName: text('Name of the school'),
          'fieldOfStudy?': text('Field of study at the school'),
          'degreeName?': text('Degree attained at the school'),
        }),
      ),
    },
    { title: 'Member profile' },
  ),
  target: object(
    {
      basics: object({
        name: is('schema:name', text('Full name of the person')),
        label: text('Headline, e.g. Web Developer'),
        email: is('schema:email', email('e-mail address, e.g. thomas@example.com')),
        'phone?': text('Phone numbers are stored as strings, so use any format you like'),
        'url?': uri('Address of a web page, e.g. a personal profile page'),
        'summary?': text('A short biography that describes the professional profile'),
      }),
      work: list(
        object({
          name: text('Name of the company, e.g. Facebook'),
          position: is('schema:jobTitle', text('Job title, e.g. Software Engineer')),
          startDate: date('When the position began'),
          'endDate?': date('When the position was left'),
          'highlights?': list(text('e.g. Increased profits by 20%')),
        }),
      ),
      'education?': list(
        object({
          institution: text('Name of the school, e.g. Massachusetts Institute of Technology'),
          'area?': text('Field of study, e.g. Arts'),
          'studyType?': text('Degree, e.g. Bachelor'),
          'score?': text('Grade point average, e.g. 3.67/4.0'),
        }),
      ),
    },
    { title: 'Resume' },
  ),
  right: {
    'basics.name': 'formattedName',
    'basics.label': 'headline',
    'basics.email': 'emailAddress',
    'basics.url': 'publicProfileUrl',
    'basics.summary': 'summary',
    'work[].name': 'positions[].companyName',
    'work[].position': 'positions[].title',
    'work[].startDate': 'positions[].startDate',
    'work[].endDate': 'positions[].endDate',
    'education[].institution': 'educations[].schoolName',
    'education[].area': 'educations[].fieldOfStudy',
    'education[].studyType': 'educations[].degreeName',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: 'a7f',
      formattedName: 'Ben Ode',
      headline: 'Baker',
      emailAddress: 'ben@ode.example',
      positions: [
        { companyName: 'Crust', title: 'Head baker', startDate: '2020-01-01' },
        { companyName: 'Crumb', title: 'Apprentice', startDate: '2016-09-01', endDate: '2019-12-31' },
      ],
      educations: [{ schoolName: 'Guild school', degreeName: 'Journeyman' }],
    },
    result: {
      basics: { name: 'Ben Ode', label: 'Baker', email: 'ben@ode.example' },
      work: [
        { name: 'Crust', position: 'Head baker', startDate: '2020-01-01' },
        { name: 'Crumb', position: 'Apprentice', startDate: '2016-09-01', endDate: '2019-12-31' },
      ],
      education: [{ institution: 'Guild school', studyType: 'Journeyman' }],
    },
  },
};

const patient: Pair = {
  name: 'FHIR Patient, with several names, to contact with one',
  source: object(
    {
      'identifier?': list(object({ system: uri(), value: text('An identifier for this patient') })),
      name: list(
        object({
          use: choice(['usual', 'official', 'nickname', 'maiden'], 'The use of this human name'),
          family: text('The part of a name that links to the genealogy'),
          'given?': list(text('Given names, not always first; includes middle names')),
        }),
        'A name associated with the individual',
        { minItems: 1 },
      ),
      gender: choice(
        ['male', 'female', 'other', 'unknown'],
        'The gender of the patient for administrative use',
      ),
      birthDate: is('schema:birthDate', date('The date of birth for the individual')),
      'active?': flag('Whether this patient’s record is in active use'),
    },
    { title: 'Patient' },
  ),
  target: object(
    {
      lastName: text('Family name of the contact'),
      dateOfBirth: date('Date of birth of the contact'),
      'gender?': choice(
        ['male', 'female', 'other', 'unknown'],
        'Gender of the contact, for administrative use',
      ),
    },
    { title: 'Contact' },
  ),
  right: { dateOfBirth: 'birthDate', gender: 'gender' },
  expects: 'ambiguous',
};

const employee: Pair = {
  name: 'SCIM user to employee record',
  source: object(
    {
      id: text('A unique identifier for a SCIM resource, as defined by the service provider'),
      userName: text('Unique identifier for the user, typically used to authenticate directly'),
      name: object({
        familyName: by('schema:familyName', text('The family name of the user, or last name')),
        givenName: by('schema:givenName', text('The given name of the user, or first name')),
        'formatted?': text('The full name, with all titles and suffixes, formatted for display'),
      }),
      title: by('schema:jobTitle', text('The user’s title, such as Vice President')),
      'active?': flag('The user’s administrative status'),
      enterprise: object({
        employeeNumber: text('Numeric or alphanumeric identifier assigned to a person by the organization'),
        'costCenter?': text('Identifies the name of a cost center'),
        'department?': text('Identifies the name of a department'),
      }),
    },
    { title: 'User' },
  ),
  target: object(
    {
      firstName: by('schema:givenName', text('First name')),
      lastName: by('schema:familyName', text('Last name')),
      position: by('schema:jobTitle', text()),
      personnelNumber: text('Identifier that the organization has assigned to the person'),
      'department?': text('Name of the department'),
      'salary?': number('Gross yearly salary', { minimum: 0 }),
    },
    { title: 'Employee' },
  ),
  right: {
    firstName: 'name.givenName',
    lastName: 'name.familyName',
    position: 'title',
    personnelNumber: 'enterprise.employeeNumber',
    department: 'enterprise.department',
  },
  expects: 'mapping',
  example: {
    payload: {
      id: '2819c223',
      userName: 'bjensen',
      name: { familyName: 'Jensen', givenName: 'Barbara', formatted: 'Ms. Barbara J Jensen, III' },
      title: 'Tour guide',
      enterprise: { employeeNumber: '701984', department: 'Tours' },
    },
    result: {
      firstName: 'Barbara',
      lastName: 'Jensen',
      position: 'Tour guide',
      personnelNumber: '701984',
      department: 'Tours',
    },
  },
};

export const people: readonly Pair[] = [vcard, resume, patient, employee];
