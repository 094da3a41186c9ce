const VERSION = Symbol('row version');

/** Attaches the version of its row to a presented object; the ETag is made from it. */
export function versioned<Body extends object>(body: Body, version: number): Body {
  Object.defineProperty(body, VERSION, { value: version, enumerable: false });
  return body;
}

export function versionOf(body: unknown): number | undefined {
  return typeof body === 'object' && body !== null ? (body as { [VERSION]?: number })[VERSION] : undefined;
}
