/** A number of unchanged parts that are left out. */
export interface Skipped {
  readonly change: 'skipped';
  readonly count: number;
}

/** Leaves out the unchanged entries that are further than `context` from a change. */
export function withContext<Entry extends { readonly change: string }>(
  entries: readonly Entry[],
  context: number,
): (Entry | Skipped)[] {
  const shown = new Uint8Array(entries.length);
  let until = 0;
  entries.forEach(({ change }, index) => {
    if (change === 'unchanged') return;
    const end = Math.min(entries.length, index + context + 1);
    shown.fill(1, Math.max(until, index - context, 0), end);
    until = end;
  });
  const result: (Entry | Skipped)[] = [];
  let count = 0;
  const close = (): void => {
    if (count > 0) result.push({ change: 'skipped', count });
    count = 0;
  };
  entries.forEach((entry, index) => {
    if (shown[index] === 0) return void count++;
    close();
    result.push(entry);
  });
  close();
  return result;
}
