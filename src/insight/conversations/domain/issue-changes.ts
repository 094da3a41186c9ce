/** An issue that is stored. */
export interface StoredIssue {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
  readonly clusterId: string | null;
}

interface FoundIssue {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
}

/**
 * Which issues a conversation has after it was read again: what says the same keeps its id and its cluster. `removed` are those
 * that it has no longer.
 */
export function issueChanges<Found extends FoundIssue>(
  stored: readonly StoredIssue[],
  found: readonly Found[],
): { readonly issues: readonly Found[]; readonly removed: readonly StoredIssue[] } {
  const known = new Map<string, StoredIssue[]>();
  for (const issue of stored) {
    const key = keyOf(issue);
    const same = known.get(key);
    if (same) same.push(issue);
    else known.set(key, [issue]);
  }
  const issues = found.map((issue) => {
    const same = known.get(keyOf(issue))?.shift();
    return same ? { ...issue, id: same.id } : issue;
  });
  return { issues, removed: [...known.values()].flat() };
}

function keyOf({ conversationId, text }: FoundIssue): string {
  return `${conversationId} ${text}`;
}
