/** A numbered section of UAICP v0.3. It has two sections 3: `flow` and `states`. */
export type UaicpSection =
  '2' | '3 flow' | '3 states' | '4.1' | '4.2' | '4.3' | '5.1' | '5.2' | '5.3' | '5.4' | '6' | '7';

/** A numbered section or table of the UpFormat paper. */
export type UpFormatSection = '2' | '2.1' | '2.2' | '2.3' | '2.4' | '3.1' | 'Table 1' | 'Table 2' | 'Table 3';

/** The number of a decision record in docs/decisions, for what neither specification says. */
export type InterpretationNumber =
  | '0001'
  | '0002'
  | '0003'
  | '0004'
  | '0005'
  | '0006'
  | '0007'
  | '0008'
  | '0009'
  | '0010'
  | '0011'
  | '0012'
  | '0013'
  | '0014'
  | '0015'
  | '0016'
  | '0040'
  | '0049'
  | '0059'
  | '0072'
  | '0081'
  | '0089';

/** The source of a transition or a state: a section of a specification, or an interpretation. */
export type Citation =
  `UAICP ${UaicpSection}` | `UpFormat ${UpFormatSection}` | `interpretation ${InterpretationNumber}`;

/** A value with the source that it comes from. */
export interface Cited {
  readonly cites: Citation;
}

export const uaicp = (section: UaicpSection): Cited => ({ cites: `UAICP ${section}` });
export const upformat = (section: UpFormatSection): Cited => ({ cites: `UpFormat ${section}` });
export const interpretation = (record: InterpretationNumber): Cited => ({
  cites: `interpretation ${record}`,
});
