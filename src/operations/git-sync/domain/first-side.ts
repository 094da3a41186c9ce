/** Tells whether a first synchronization goes from the branch to the space; one that does not exist yet has nothing to say. */
export function beginsWithBranch(priority: string | null, head: string | undefined): boolean {
  return priority === 'git' && head !== undefined;
}
