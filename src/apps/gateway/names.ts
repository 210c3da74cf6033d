/** Returns the server and the tool of a name such as `shop.refund`. */
export const partsOf = (name: string): readonly [server: string, tool: string] => {
  const at = name.indexOf('.');
  return at === -1 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
};

/** Returns whether a name of the file, `server.tool` or `server.*`, names a tool. */
export const names = (name: string, tool: string): boolean =>
  name.endsWith('.*') ? partsOf(tool)[0] === name.slice(0, -'.*'.length) : name === tool;

/** Returns the name of a tool for clients. Many accept no others. */
export const servedName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
