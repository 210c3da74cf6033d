/** Whether a server that answered with this HTTP status may answer otherwise if it is asked again. */
export const isWorthAnother = (status: number): boolean => status === 408 || status === 429 || status >= 500;
