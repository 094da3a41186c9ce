const VERSION = Symbol('row version');

/** Marks a presented object with the version of its row, from which its ETag is made. */
export function versioned<Body extends object>(body: Body, version: number): Body {
  Object.defineProperty(body, VERSION, { value: version, enumerable: false });
  return body;
}

export function versionOf(body: unknown): number | undefined {
  return typeof body === 'object' && body !== null ? (body as { [VERSION]?: number })[VERSION] : undefined;
}
