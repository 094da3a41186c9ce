/** A SELECT of the repository of one space; `id` is an expression. */
export function gitSyncOf(id: string): string {
  return `SELECT x.repo_name AS "repoName", x.provider, x.url, x.updated_at AS "updatedAt" FROM space_git x WHERE x.space_id = ${id}`;
}
