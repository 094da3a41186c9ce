/** A stored issue. */
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
 * The issues of a conversation after it was read again: issues with the same text keep their id and their cluster.
 * `removed` are those that it no longer has.
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
