/** What a `traceparent` header says. */
export interface Traceparent {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  /** 1 is `sampled`, 2 is `random`; every other bit is nobody's yet, and is dropped. */
  readonly flags: number;
}

const header = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const isZero = (hex: string): boolean => /^0+$/.test(hex);

/**
 * Reads a `traceparent` header; `null` where it is none (W3C Trace Context 2, 3.2 and 4.2).
 *
 * A version above 00 may go on after the flags, with a dash; of its flags only `sampled` is known. Version ff is none.
 */
export const parseTraceparent = (text: string): Traceparent | null => {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = header.exec(text) ?? [];
  const isKnown = version === '00';
  if (version === '' || version === 'ff' || (isKnown && more !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & (isKnown ? 3 : 1) };
};

/** Writes a `traceparent` header of version 00. */
export const formatTraceparent = ({ traceId, spanId, flags }: Traceparent): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

const member = /^([\da-z][\da-z_\-*/@]{0,255})=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/** Whether a text is a `tracestate` header: at most 32 members, no key twice (W3C Trace Context 2, 3.3). */
export const isTracestate = (text: string): boolean => {
  const members = text
    .split(',')
    .map((part) => part.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((part) => part !== '');
  const keys = members.map((one) => member.exec(one)?.[1]);
  return keys.length <= 32 && !keys.includes(undefined) && new Set(keys).size === keys.length;
};
