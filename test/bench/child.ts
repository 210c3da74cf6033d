import { subjects, type SubjectName } from './subjects.ts';

// A process that measures one subject and sends the figures to its parent.

const [, , name = '', given = ''] = process.argv;
const measure = (await subjects[name as SubjectName]()) as (given: unknown) => Promise<unknown>;
const figures = await measure(JSON.parse(given));
process.send!(figures, () => process.exit(0)); // some engines leave timers behind
