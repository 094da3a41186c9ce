interface KeyedBlock {
  readonly key?: string;
}

/**
 * Reverts some of the current blocks: a block of `keys` gets its earlier content, is restored after its former
 * predecessor, or is removed if it did not exist. All others stay unchanged.
 */
export function revertBlocks<Block extends KeyedBlock>(
  current: readonly Block[],
  earlier: readonly Block[],
  keys: ReadonlySet<string>,
): Block[] {
  const wanted = (block: Block) => block.key !== undefined && keys.has(block.key);
  const was = new Map(earlier.map((block) => [block.key, block]));
  const result = current.flatMap((block) => (wanted(block) ? (was.get(block.key) ?? []) : block));
  const behind = new Map(result.map(({ key }): [string | undefined, Block[]] => [key, []]));
  const atStart: Block[] = [];
  let place = atStart;
  for (const block of earlier) {
    const own = behind.get(block.key);
    if (own) place = own;
    else if (wanted(block)) place.push(block);
  }
  return [...atStart, ...result.flatMap((block) => [block, ...(behind.get(block.key) ?? [])])];
}
