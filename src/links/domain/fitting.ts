/** How many of these, from the first one on, are at most so many bytes of JSON together: at least one, where there is one. */
export function howManyFit(items: readonly unknown[], bytes: number): number {
  let left = bytes;
  const tooMany = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item ?? null)) + 1) < 0);
  return tooMany < 0 ? items.length : Math.max(1, tooMany);
}
