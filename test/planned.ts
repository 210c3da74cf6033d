import { vi } from 'vitest';

/** Keeps what a framework prints of an error that a test plans off the console; every other line is printed. */
export const hidePlanned = (method: 'error' | 'warn', line: RegExp): void => {
  // oxlint-disable-next-line no-console -- it is put in its place
  const print = console[method];
  vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
    if (!line.test(parts.map(String).join(' '))) print(...parts);
  });
};
