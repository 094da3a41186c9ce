/** Makes the person ($2) who imports an organization ($1) an administrator of it. */
export const IMPORT_ADMINISTRATOR = `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())
  ON CONFLICT (organization_id, user_id) DO UPDATE SET role = 'admin', custom_role_id = NULL, disabled = false, version = member.version + 1`;

/** An administrator of an organization ($1) who is not shut out. */
export const REACHABLE_ADMINISTRATOR = `SELECT FROM member m JOIN account a ON a.id = m.user_id
  WHERE m.organization_id = $1 AND m.role = 'admin' AND NOT m.disabled AND NOT a.disabled LIMIT 1`;

/** Gives an organization ($1) its subdomain ($2). */
export const NAME_ORGANIZATION = 'UPDATE organization SET hostname = $2 WHERE id = $1';
