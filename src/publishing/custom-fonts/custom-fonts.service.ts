import { Injectable } from '@nestjs/common';
import { Members } from '../../identity/organizations/members.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Uploads } from '../../workspace/uploads/uploads.service.js';
import { FontUses } from '../sites/font-uses.service.js';
import { CustomFont } from './custom-font.entity.js';
import type { CreateCustomFont, CustomFontRow, UpdateCustomFont } from './custom-fonts.schema.js';

const MAX_FONTS = 100;
const REGULAR = 400;
const FORMATS: Readonly<Record<string, 'woff2' | 'woff'>> = { 'font/woff2': 'woff2', 'font/woff': 'woff' };

const COLUMNS = `f.id, f.font_family AS "fontFamily", f.version,
  (SELECT jsonb_agg(jsonb_build_object('weight', a.weight, 'key', u.id, 'name', u.name, 'contentType', u.content_type) ORDER BY a.weight)
     FROM custom_font_face a JOIN upload u ON u.id = a.upload_id WHERE a.font_id = f.id) AS faces`;

type FontRow = Pick<CustomFont, 'id' | 'fontFamily' | 'version'> & {
  readonly faces: readonly {
    readonly weight: number;
    readonly key: string;
    readonly name: string;
    readonly contentType: string;
  }[];
};

/** Keys of uploaded files by weight. */
type Files = ReadonlyMap<number, string>;

/** The fonts of organizations. Sites hold the definition of the font that they use; a change is written to all of them. */
@Injectable()
export class CustomFonts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly outbox: Outbox,
    private readonly members: Members,
    private readonly uploads: Uploads,
    private readonly sites: FontUses,
    private readonly addresses: Addresses,
  ) {}

  /** The fonts of an organization, oldest first. */
  async list(organizationId: string, request: PageRequest): Promise<Page<CustomFontRow>> {
    const page = await this.pages.list<FontRow>(request, {
      scope: ['custom-fonts', organizationId],
      select: COLUMNS,
      from: 'FROM custom_font f WHERE f.organization_id = $1',
      values: [organizationId],
      order: [
        { expression: 'f.created_at', type: 'timestamptz' },
        { expression: 'f.id', type: 'text' },
      ],
      direction: 'asc',
    });
    return page.map((row) => this.defined(row));
  }

  async get(organizationId: string, id: string): Promise<CustomFontRow> {
    return this.defined(await this.row(organizationId, id));
  }

  /** Throws `invalid` for files that are no uploaded fonts of the organization, `conflict` for too many fonts. */
  async create(callerId: string, organizationId: string, body: CreateCustomFont): Promise<CustomFontRow> {
    const id = newId();
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      if ((await this.database.of(CustomFont).countBy({ organizationId })) >= MAX_FONTS)
        throw new DomainError('conflict', `An organization has ${MAX_FONTS} fonts at most`);
      const files = await this.filesAfter(organizationId, new Map(), body.fontFaces);
      const { fontFamily } = body;
      await this.database.of(CustomFont).insert({ id, organizationId, fontFamily, createdAt: this.clock.now() });
      await this.replaceFiles(id, files);
      await this.outbox.record({ type: 'custom_font_created', organizationId, target: id });
    });
    return this.get(organizationId, id);
  }

  /** Changes a font, and with it the sites that use it. */
  async update(
    callerId: string,
    organizationId: string,
    id: string,
    changes: UpdateCustomFont,
  ): Promise<CustomFontRow> {
    return this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const before = await this.row(organizationId, id);
      requireMatch(before.version);
      const had: Files = new Map(before.faces.map(({ weight, key }) => [weight, key]));
      const files = await this.filesAfter(organizationId, had, changes.fontFaces ?? []);
      const { fontFamily = before.fontFamily } = changes;
      if (fontFamily === before.fontFamily && isSame(had, files)) return this.defined(before);
      await this.database.of(CustomFont).update({ id }, { fontFamily });
      await this.replaceFiles(id, files);
      await this.removeUnused([...had.values()]);
      const after = this.defined(await this.row(organizationId, id));
      await this.sites.replace(organizationId, after.definition);
      await this.outbox.record({ type: 'custom_font_updated', organizationId, target: id });
      return after;
    });
  }

  /** Throws `conflict` while a site uses the font. Deleting a missing one does nothing. */
  async remove(callerId: string, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const font = await this.find(organizationId, id);
      if (!font) return;
      const sites = (await this.sites.firstUsing(organizationId, id)).map((title) => `“${title}”`);
      if (sites.length > 0)
        throw new DomainError(
          'conflict',
          sites.length === 1
            ? `The site ${sites.join()} uses this font`
            : `The sites ${sites.join(', ')} use this font`,
        );
      await this.database.of(CustomFont).delete({ id });
      await this.removeUnused(font.faces.map(({ key }) => key));
      await this.outbox.record({
        type: 'custom_font_deleted',
        organizationId,
        target: id,
        audit: { label: font.fontFamily },
      });
    });
  }

  private async row(organizationId: string, id: string): Promise<FontRow> {
    const row = await this.find(organizationId, id);
    if (!row) throw notFound('Font');
    return row;
  }

  private find(organizationId: string, id: string): Promise<FontRow | undefined> {
    return this.database.one<FontRow>(
      `SELECT ${COLUMNS} FROM custom_font f WHERE f.organization_id = $1 AND f.id = $2`,
      [organizationId, id],
    );
  }

  private defined({ id, fontFamily, version, faces }: FontRow): CustomFontRow {
    const fontFaces = faces.map(({ weight, key, name, contentType }) => {
      const format = FORMATS[contentType];
      const url = this.addresses.published(`/~files/${key}/${encodeURIComponent(name)}`);
      return { weight, sources: [{ url, ...(format !== undefined && { format }) }] };
    });
    return { definition: { id, custom: true, fontFamily, fontFaces }, version };
  }

  /** The files of a font after changes, by weight; null removes one. */
  private async filesAfter(
    organizationId: string,
    before: Files,
    changes: readonly { readonly weight: number; readonly storageKey: string | null }[],
  ): Promise<Files> {
    const keys = changes.flatMap(({ storageKey }) => storageKey ?? []);
    const uploaded = await this.uploads.fonts(organizationId, keys);
    const changed = new Set<number>();
    const after = new Map(before);
    changes.forEach(({ weight, storageKey }, index) => {
      if (changed.has(weight)) throw invalid(`fontFaces.${index}.weight`, 'is the weight of another face');
      changed.add(weight);
      if (storageKey === null) after.delete(weight);
      else if (uploaded.has(storageKey)) after.set(weight, storageKey);
      else throw invalid(`fontFaces.${index}.storageKey`, 'is not an uploaded font of this organization');
    });
    if (!after.has(REGULAR)) throw invalid('fontFaces', `must have a face of the weight ${REGULAR}`);
    return after;
  }

  private async replaceFiles(id: string, files: Files): Promise<void> {
    await this.database.execute('DELETE FROM custom_font_face WHERE font_id = $1', [id]);
    await this.database.execute(
      'INSERT INTO custom_font_face (font_id, weight, upload_id) SELECT $1, face.weight, face.key FROM unnest($2::int[], $3::text[]) AS face (weight, key)',
      [id, [...files.keys()], [...files.values()]],
    );
  }

  /** Deletes those of these files that no font has. */
  private async removeUnused(keys: readonly string[]): Promise<void> {
    const used = await this.database.query<{ key: string }>(
      'SELECT upload_id AS key FROM custom_font_face WHERE upload_id = ANY ($1)',
      [keys],
    );
    await this.uploads.removeFonts(keys.filter((key) => !used.some((each) => each.key === key)));
  }
}

function isSame(left: Files, right: Files): boolean {
  return left.size === right.size && [...left].every(([weight, key]) => right.get(weight) === key);
}
