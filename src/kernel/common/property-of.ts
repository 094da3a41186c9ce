/**
 * Reads a property of a value of unknown type, such as a response of an external service; undefined if there is none.
 */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
