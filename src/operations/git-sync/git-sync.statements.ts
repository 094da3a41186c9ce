/** A SELECT of the repository of one space, and of the installation that keeps both equal; `id` is an expression. */
export function gitSyncOf(id: string): string {
  return `SELECT coalesce(x.repo_name, substring(g.url FROM '([^/:]+?)(?:\\.git)?/?$')) AS "repoName", coalesce(g.provider, x.provider) AS provider,
      coalesce(x.url, g.url) AS url, coalesce(x.updated_at, g.updated_at) AS "updatedAt",
      g.id AS "installationId", g.parent_id AS "parentInstallationId", g.url IS NOT NULL AS "isConfigured", g.failure, n.status AS "runStatus",
      n.started_at AS "startedAt", n.completed_at AS "endedAt", n.change_request_id AS "changeRequestId",
      n.result ->> 'direction' AS direction
    FROM (SELECT ${id} AS space_id) one LEFT JOIN space_git x ON x.space_id = one.space_id LEFT JOIN git_installation g ON g.space_id = one.space_id
    LEFT JOIN import_run n ON n.id = g.last_run_id
   WHERE x.space_id IS NOT NULL OR g.space_id IS NOT NULL`;
}
