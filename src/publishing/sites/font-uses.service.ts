import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import type { CustomizationSettings } from './customization.schema.js';

/** A font with its files, as the customization of a site holds it. */
export type FontDefinition = Exclude<CustomizationSettings['styling']['font'], string>;

/** True for the font `$2` in the settings of `site`. */
const USES = ['font', 'monospaceFont'].map((field) => `site.customization #>> '{styling,${field},id}' = $2`);

/** Sites that are named where a font cannot be deleted. */
const MOST_NAMED = 10;

/** The sites that use a font of their organization. */
@Injectable()
export class FontUses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The titles of the first sites that use a font. */
  async firstUsing(organizationId: string, fontId: string): Promise<string[]> {
    const sites = await this.database.query<{ title: string }>(
      `SELECT site.title FROM site WHERE site.organization_id = $1 AND (${USES.join(' OR ')}) ORDER BY site.id LIMIT ${MOST_NAMED}`,
      [organizationId, fontId],
    );
    return sites.map(({ title }) => title);
  }

  /** Writes the present definition of a font to the sites that use it. */
  async replace(organizationId: string, font: FontDefinition): Promise<void> {
    const [text, code] = USES;
    await this.database.execute(
      `UPDATE site SET version = site.version + 1, updated_at = $4, customization = jsonb_set(site.customization, '{styling}', site.customization -> 'styling'
           || CASE WHEN ${text} THEN jsonb_build_object('font', $3::jsonb) ELSE '{}' END
           || CASE WHEN ${code} THEN jsonb_build_object('monospaceFont', $3::jsonb) ELSE '{}' END)
        WHERE site.organization_id = $1 AND (${USES.join(' OR ')})`,
      [organizationId, font.id, JSON.stringify(font), this.clock.now()],
    );
  }
}
