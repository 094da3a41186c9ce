/** An OpenAPI specification of which only the parts that are asked for are read. */
export interface ApiDescription {
  /** The value at a JSON pointer, given by its parts such as `['components', 'schemas', 'Pet']`; undefined where there is none. */
  at(pointer: readonly string[]): unknown;
}
