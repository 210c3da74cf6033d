/** Works a thing out once for each key. */
export const once = <Key extends object, Value>(make: (key: Key) => Value) => {
  const made = new WeakMap<Key, Value>();
  return (key: Key): Value => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
};
