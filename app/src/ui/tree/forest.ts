/** The id of what is above all items. */
export const ROOT = 'root';

/** Items that stand below each other. */
export interface Forest<Item> {
  readonly items: ReadonlyMap<string, Item>;
  /** The ids below each item that has some, and below `ROOT`, in their order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
}

const NONE: readonly string[] = [];

export function childrenOf({ children }: Forest<unknown>, id: string): readonly string[] {
  return children.get(id) ?? NONE;
}

/** The ids of the items above one, the nearest first. */
export function ancestorsOf({ parents }: Forest<unknown>, id: string): string[] {
  const above: string[] = [];
  for (let each = parents.get(id); each !== undefined && each !== ROOT; each = parents.get(each)) above.push(each);
  return above;
}
