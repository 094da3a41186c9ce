/** The entry of a table under a name that somebody else chose: never what every object has, such as `constructor`. */
export function ownEntry<Entry>(table: Readonly<Record<string, Entry | undefined>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
