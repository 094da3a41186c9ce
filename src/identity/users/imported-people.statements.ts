/** Accounts by addresses ($1), or only that of one person ($2), with what tells whether somebody uses them. */
export const KNOWN_PEOPLE = `SELECT e.given, a.id, a.email_verified AS "isProven", EXISTS (SELECT FROM api_token t WHERE t.user_id = a.id) AS "isUsed"
  FROM unnest($1::text[]) AS e (given) JOIN account a ON lower(a.email) = lower(e.given) WHERE $2::text IS NULL OR a.id = $2`;

/** Makes accounts without any way in, of people as JSON ($1). */
export const IMPORT_PEOPLE = `INSERT INTO account (id, display_name, email, photo_url, created_at, disabled)
  SELECT id, display_name, email, photo_url, created_at, coalesce(disabled, false)
    FROM json_to_recordset($1) AS p (id text, display_name text, email text, photo_url text, created_at timestamptz, disabled boolean)`;

/** Gives accounts that were made with other ones their addresses, as JSON ($1). */
export const GIVE_ADDRESSES = `UPDATE account a SET email = p.email FROM json_to_recordset($1) AS p (id text, email text) WHERE a.id = p.id`;
