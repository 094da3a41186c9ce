interface KeyedBlock {
  readonly key?: string;
}

/**
 * The current blocks with some of them as they were: a block of `keys` gets its earlier content, comes back behind the
 * block that it stood behind, or goes when it did not exist. All others stay as they are.
 */
export function revertBlocks<Block extends KeyedBlock>(current: readonly Block[], earlier: readonly Block[], keys: ReadonlySet<string>): Block[] {
  const wanted = (block: Block) => block.key !== undefined && keys.has(block.key);
  const was = new Map(earlier.map((block) => [block.key, block]));
  const result = current.flatMap((block) => (wanted(block) ? (was.get(block.key) ?? []) : block));
  earlier.forEach((block, index) => {
    if (!wanted(block) || result.some((other) => other.key === block.key)) return;
    let at = 0;
    for (let before = index - 1; before >= 0 && at === 0; before--) {
      at = result.findIndex((other) => other.key === earlier[before]?.key) + 1;
    }
    result.splice(at, 0, block);
  });
  return result;
}
