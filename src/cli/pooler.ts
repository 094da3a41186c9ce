import pg from 'pg';
import { sessionSettings } from '../data-source.js';
import type { DatabaseConnection } from '../kernel/common/connection.js';
import type { Config } from '../kernel/platform/config/config.js';
import { reasonOf } from '../kernel/platform/operator-error.js';

/** Any two fixed numbers: of servers that start at the same time one changes the role. */
const ROLE_LOCK = [0x62696e64, 4] as const;

const SETTINGS_OF_ROLE = `SELECT current_database() AS database, coalesce(s.setconfig, '{}') AS settings
  FROM pg_roles r LEFT JOIN pg_db_role_setting s
    ON s.setrole = r.oid AND s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  WHERE r.rolname = current_user`;

/**
 * Makes the settings that sessions need those of the role in this database, since a pooler passes none on, and tells
 * the operator what a pooler changes. The sessions that the pooler has open already get them when it opens them anew.
 */
export async function settlePooler(
  client: DatabaseConnection,
  config: Pick<Config, 'databaseTimeout' | 'databaseDirectUrl'>,
  note: (line: string) => void,
): Promise<void> {
  note(
    `The database is reached through a connection pooler: statements are ${client.keepsStatements ? '' : 'not '}prepared, and changes of other servers are ${config.databaseDirectUrl === undefined ? 'asked for (set DATABASE_DIRECT_URL to hear of them at once)' : 'heard past it'}`,
  );
  try {
    await setForRole(client, Object.entries(sessionSettings(config.databaseTimeout)));
  } catch (error) {
    note(`Settings of the database user could not be made (${reasonOf(error)}): make them as the documentation tells`);
  }
}

async function setForRole(
  client: DatabaseConnection,
  settings: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [...ROLE_LOCK]);
    const { rows } = await client.query<{ database: string; settings: readonly string[] }>(SETTINGS_OF_ROLE);
    for (const { database, settings: made } of rows)
      for (const [name, value] of settings)
        if (!made.includes(`${name}=${value}`))
          await client.query(
            `ALTER ROLE CURRENT_USER IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = ${pg.escapeLiteral(value)}`,
          );
  } finally {
    // After an error this rolls back.
    await client.query('COMMIT');
  }
}
