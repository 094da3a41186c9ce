import type { DatabaseConnection } from '../kernel/common/connection.js';
import type { MigrationHistory } from '../kernel/platform/migrations/migration-history.js';
import { recordedMigrations } from '../kernel/platform/migrations/schema-migrator.js';
import { OperatorError } from '../kernel/platform/operator-error.js';

/** The migrations that the baselines of 0.1.0 replaced; together they create the same schema. */
export const REPLACED_MIGRATIONS: readonly string[] = [
  'IdentityAndAccess1795000000000',
  'Platform1795000000050',
  'Content1795000000100',
  'Sites1795000000200',
  'Redirects1795000000300',
  'VisibleSpaces1795000000400',
  'People1795000000500',
  'SpaceCopies1795000000600',
  'LargerOrganizations1795000000650',
  'CheaperReads1795000000700',
  'SpacesOfCollections1795000000720',
  'CollectionTotals1795000000730',
  'Links1795000000800',
  'SearchInAllLanguages1795000000820',
  'SpecificationFiles1795000000830',
  'ContentTotals1795000000840',
  'FormerPlaces1795000000841',
  'Imports1795000000850',
  'CheaperAccess1795000000860',
  'TextsOfSections1795000000861',
  'Comments1795000000870',
  'Reviews1795000000880',
  'Pdf1795000000890',
  'StagedDocuments1795000000895',
  'Webhooks1795000000900',
  'Audiences1795000000910',
  'SiteAddresses1795000000920',
  'SitePermissions1795000000921',
  'SiteInsights1795000000922',
  'SiteSearch1795000000923',
  'RepositoriesOfSites1795000000930',
  'OneSiteForAProxy1795000000958',
  'Openapi1795000000960',
  'Conversations1795000000970',
  'Translations1795000000980',
  'MemoryOfTranslations1795000000981',
  'SingleSignOn1795000000990',
  'LoginsOfOneBrowser1795000000993',
  'OpenidConnect1795000000994',
  'AuditLog1795000000995',
  'SealedSecrets1795000000999',
  'SealedClientSecrets1795000001000',
  'SiteRoutesOnce1795000001001',
  'EndsOfSessions1795000001010',
  'LoginsInProgress1795000001030',
  'EventPruning1795000001050',
];

const BASELINE = /Baseline(\d{13})$/;
/** The time of the last of these baselines: later modules may begin with a baseline of their own. */
const LAST_BASELINE = 1_795_400_002_500;

/**
 * Records the baselines for a database that has all migrations that they replace, and runs nothing. The caller must
 * hold the migration lock.
 * @throws OperatorError if the database has only some of them; the database is not changed.
 */
export async function adoptBaselines(
  client: DatabaseConnection,
  { table, migrations }: MigrationHistory,
): Promise<void> {
  const applied = await recordedMigrations(client, table);
  const replaced = applied.filter((name) => REPLACED_MIGRATIONS.includes(name));
  if (replaced.length === 0) return;
  if (replaced.length < REPLACED_MIGRATIONS.length || replaced.length < applied.length)
    throw new OperatorError(
      `The database has ${replaced.length} of the ${REPLACED_MIGRATIONS.length} migrations that the baselines of 0.1.0 replace: migrate it with the last version before 0.1.0 first`,
    );
  const baselines = migrations.filter(({ name, time }) => BASELINE.test(name) && time <= LAST_BASELINE);
  await client.query('BEGIN');
  await client.query('DELETE FROM migration');
  await client.query('INSERT INTO migration ("timestamp", name) SELECT * FROM unnest($1::bigint[], $2::text[])', [
    baselines.map(({ time }) => time),
    baselines.map(({ name }) => name),
  ]);
  await client.query('COMMIT');
}
