/** The fields of a `traceparent` header. */
export interface Traceparent {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  /** 1 is `sampled`, 2 is `random`; the other bits are undefined and dropped. */
  readonly flags: number;
}

const header = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const isZero = (hex: string): boolean => /^0+$/.test(hex);

/**
 * Parses a `traceparent` header; returns `null` if it is invalid (W3C Trace Context 2, 3.2 and 4.2).
 *
 * A version above 00 may have more fields after the flags; only its flag `sampled` is used. Version ff is invalid.
 */
export const parseTraceparent = (text: string): Traceparent | null => {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = header.exec(text) ?? [];
  const isKnown = version === '00';
  if (version === '' || version === 'ff' || (isKnown && more !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & (isKnown ? 3 : 1) };
};

/** Formats a `traceparent` header of version 00. */
export const formatTraceparent = ({ traceId, spanId, flags }: Traceparent): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

const member = /^([\da-z][\da-z_\-*/@]{0,255})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Returns whether a text is a valid `tracestate` header: at most 32 members, no duplicate key (W3C Trace Context 2,
 * 3.3).
 */
export const isTracestate = (text: string): boolean => {
  const members = text
    .split(',')
    .map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((part) => part !== '');
  const keys = members.map((one) => member.exec(one)?.[1]);
  return keys.length <= 32 && !keys.includes(undefined) && new Set(keys).size === keys.length;
};
