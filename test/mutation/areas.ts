/** Code that is mutated together, and the tests that must notice. */
export interface Area {
  readonly name: string;
  /** Folders and files. */
  readonly code: readonly string[];
  readonly tests: readonly string[];
}

const folder = (name: string): Area => ({
  name: name.replace(/^.*\//, ''),
  code: [`src/${name}`],
  tests: [`test/src/${name}/**/*.test.ts`],
});

/** The code outside the charts that the gates rest on: each area is judged by its own tests alone. */
export const areas: readonly Area[] = [
  ...['gates/approvals', 'base/canonical', 'gates/evidence', 'core/ledger', 'gates/verification'].map(folder),
  {
    name: 'kernel',
    code: [
      ...['chart', 'entry', 'origins', 'replay', 'seal', 'snapshot'].map(
        (name) => `src/core/kernel/${name}.ts`,
      ),
      'src/core/kernel/projection',
    ],
    tests: ['test/src/core/kernel/**/*.test.ts', 'test/src/core/ledger/**/*.test.ts'],
  },
  {
    name: 'gates',
    code: ['src/gates/policies/table.ts', 'src/core/kernel/evidence-integrity.ts'],
    tests: [
      'test/src/gates/policies/{authority,table}.test.ts',
      'test/src/core/kernel/evidence-integrity.test.ts',
    ],
  },
];

/** The areas that a run is about: the one that `MUTATED_AREA` names, or all of them. */
export const mutatedAreas = areas.filter(({ name }) => name === (process.env['MUTATED_AREA'] ?? name));
