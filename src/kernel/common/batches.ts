/** Splits items into batches whose total size is at most `most`; an item that is larger forms a batch of its own. */
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
