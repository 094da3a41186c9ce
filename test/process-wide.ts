/**
 * A value that all spec files of a process share, although each has modules of `test/` of its own: one that never changes and takes
 * long to make.
 */
export function processWide<Value>(name: string, make: () => Value): Value {
  const values = globalThis as { [key: symbol]: Value | undefined };
  return (values[Symbol.for(`bindery.${name}`)] ??= make());
}
