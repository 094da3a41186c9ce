/** Returns the own entry of a table under a name of foreign origin: never an inherited member such as `constructor`. */
export function ownEntry<Entry>(table: Readonly<Record<string, Entry | undefined>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
