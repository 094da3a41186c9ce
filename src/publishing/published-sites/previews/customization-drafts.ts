import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import { newId } from '../../../kernel/common/ids.js';
import type { SiteForCaller } from '../../sites/sites.schema.js';
import type { StructureRows } from '../../sites/structure.schema.js';
import { CustomizationDraft } from './customization-draft.entity.js';

const LASTING = 3600_000;

/** Replaces the draft of a person for a site, and removes those of the organization that are over. */
const KEEP = `WITH gone AS (
    DELETE FROM customization_draft d WHERE d.organization_id = $1 AND (d.user_id, d.site_id) IN (
      SELECT o.user_id, o.site_id FROM customization_draft o
       WHERE o.organization_id = $1 AND o.expires_at <= $7 AND (o.user_id, o.site_id) <> ($2, $3) FOR UPDATE SKIP LOCKED))
  INSERT INTO customization_draft (organization_id, user_id, site_id, site_space_id, settings, version, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $8)
  ON CONFLICT (organization_id, user_id, site_id) DO UPDATE SET site_space_id = excluded.site_space_id,
    settings = excluded.settings, version = excluded.version, expires_at = excluded.expires_at`;

/** The person and the site of a draft. */
export type DraftKey = Pick<CustomizationDraft, 'organizationId' | 'userId' | 'siteId'>;

/** How sites would look, by the people who try it. */
@Injectable()
export class CustomizationDrafts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Keeps a draft for an hour, in the place of the former one. */
  async keep(
    { organizationId, userId, siteId }: DraftKey,
    settings: object,
    siteSpaceId: string | null = null,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(() =>
      this.database.execute(KEEP, [
        organizationId,
        userId,
        siteId,
        siteSpaceId,
        JSON.stringify(settings),
        newId(now.getTime()),
        now,
        new Date(now.getTime() + LASTING),
      ]),
    );
  }
}

/** The look that a person tries at a site; the token of the preview tells until when. */
export const draftOf = (database: Database, key: DraftKey): Promise<CustomizationDraft | null> =>
  database.of(CustomizationDraft).findOneBy({ ...key });

/** A site with its rows as they would look. */
export function customizedBy<Known extends { readonly site: SiteForCaller; readonly rows: StructureRows }>(
  known: Known,
  { siteSpaceId, settings }: CustomizationDraft,
): Known {
  if (siteSpaceId === null) return { ...known, site: { ...known.site, customization: settings } };
  const siteSpaces = known.rows.siteSpaces.map((row) =>
    row.siteSpaceId === siteSpaceId ? { ...row, overrides: settings } : row,
  );
  return { ...known, rows: { ...known.rows, siteSpaces } };
}
