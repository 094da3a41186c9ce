import type { CommittedChange } from './commit-message.js';

/** A revision of the primary line that the branch does not have yet. */
export interface UncommittedRevision {
  readonly id: string;
  /** `branch` came from the branch, `note` says where things are in it, `change` is what people have changed. */
  readonly kind: 'branch' | 'note' | 'change';
  readonly change: CommittedChange;
  /** The user who made it. */
  readonly authorId: string | undefined;
}

/** The revision that a commit brings, and the changes that led to it. */
export interface StepRevisions {
  readonly revision: string;
  readonly changes: readonly CommittedChange[];
  readonly authorId: string | undefined;
}

/** Most commits of one push; more than that go together in its first one. */
export const MAX_PUSHED_COMMITS = 50;

/**
 * Divides revisions, the oldest first, into commits: all in one, or one for each change. What came from the branch goes together
 * with all before it, because a commit of the latter alone would take back what the branch says already.
 */
export function commitSteps(revisions: readonly UncommittedRevision[], isSquashed: boolean): StepRevisions[] {
  const fixed = isSquashed ? revisions.length : revisions.findLastIndex(({ kind }) => kind === 'branch') + 1;
  const groups: UncommittedRevision[][] = fixed === 0 ? [] : [revisions.slice(0, fixed)];
  for (const revision of revisions.slice(fixed)) {
    const last = groups.at(-1);
    if (revision.kind === 'note' && last) last.push(revision);
    else groups.push([revision]);
  }
  const surplus = Math.max(groups.length - MAX_PUSHED_COMMITS, 0);
  const together = [groups.slice(0, surplus + 1).flat(), ...groups.slice(surplus + 1)];
  return together.flatMap((group) => {
    const [revision] = group.slice(-1);
    if (!revision) return [];
    const changes = group.filter(({ kind }) => kind === 'change');
    const [last] = changes.slice(-1);
    return [{ revision: revision.id, changes: changes.map(({ change }) => change), authorId: last?.authorId }];
  });
}
