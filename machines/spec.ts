/** A numbered part of UAICP v0.3. Its two sections "3" are told apart by name. */
export type UaicpSection =
  '2' | '3 flow' | '3 states' | '4.1' | '4.2' | '4.3' | '5.1' | '5.2' | '5.3' | '5.4' | '6' | '7';

/** A numbered part of the UpFormat paper. */
export type UpFormatSection = '2' | '2.1' | '2.2' | '2.3' | '2.4' | '3.1' | 'Table 1' | 'Table 2' | 'Table 3';

/** A decision record in docs/decisions, for what neither document says. */
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
  | '0072';

/** Where a transition or a state comes from: a section of a specification, or a numbered interpretation. */
export type Citation =
  `UAICP ${UaicpSection}` | `UpFormat ${UpFormatSection}` | `interpretation ${InterpretationNumber}`;

/** What says where it comes from. */
export interface Cited {
  readonly cites: Citation;
}

export const uaicp = (section: UaicpSection): Cited => ({ cites: `UAICP ${section}` });
export const upformat = (section: UpFormatSection): Cited => ({ cites: `UpFormat ${section}` });
export const interpretation = (record: InterpretationNumber): Cited => ({
  cites: `interpretation ${record}`,
});
