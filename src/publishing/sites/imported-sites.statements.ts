/** Gives the sites of an organization ($1) their names, as JSON ($2). */
export const NAME_SITES = `UPDATE site s SET basename = n.basename, proxy = n.proxy
   FROM json_to_recordset($2) AS n (id text, basename text, proxy text)
  WHERE s.organization_id = $1 AND s.id = n.id`;

/** Former basenames of the sites of an organization ($1) as JSON ($2), but those that lead to another site here. */
export const KEEP_FORMER_BASENAMES = `INSERT INTO site_former_basename (basename, organization_id, site_id, created_at)
  SELECT basename, $1, "siteId", "createdAt"
    FROM json_to_recordset($2) AS n (basename text, "siteId" text, "createdAt" timestamptz)
  ON CONFLICT (basename) DO NOTHING`;
