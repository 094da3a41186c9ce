/** A key that nobody else has; also where browsers offer no `crypto.randomUUID`, which needs a secure origin. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
