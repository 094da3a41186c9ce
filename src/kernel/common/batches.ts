/** Items in turn, as many at once as are `most` large together; what is larger by itself comes alone. */
export function* batchesWithin<Item>(
  items: Iterable<Item>,
  most: number,
  sizeOf: (item: Item) => number,
): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (batch.length > 0 && size + own > most) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(item);
    size += own;
  }
  if (batch.length > 0) yield batch;
}
