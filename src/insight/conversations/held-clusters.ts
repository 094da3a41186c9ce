import type { Database } from '../../kernel/common/database.js';

/** Locks a cluster of the organization of a space until the transaction ends; false if there is none with this id. */
export async function holdCluster(database: Database, spaceId: string, id: string): Promise<boolean> {
  const cluster = await database.one(
    'SELECT FROM issues_cluster k JOIN space s ON s.organization_id = k.organization_id WHERE s.id = $1 AND k.id = $2 FOR KEY SHARE OF k',
    [spaceId, id],
  );
  return cluster !== undefined;
}
