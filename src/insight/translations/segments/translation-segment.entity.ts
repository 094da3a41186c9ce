import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** A text of a page or reusable content of a translation, with its translation. */
@OrganizationTable()
@Entity('translation_segment')
@Check(
  'translation_segment_state_check',
  `(state = ANY (ARRAY['machine'::text, 'reviewed'::text, 'outdated'::text, 'untranslated'::text]))`,
)
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'translation_segment_organization_fk' })
@Unique('translation_segment_text_key', ['organizationId', 'translationId', 'kind', 'sourceItemId', 'digest'])
@Index('translation_segment_item_idx', ['organizationId', 'translationId', 'itemId', 'position', 'id'])
@Index('translation_segment_state_idx', ['organizationId', 'translationId', 'state', 'itemId', 'position', 'id'])
@Index('translation_segment_unpublished_idx', { synchronize: false })
@Index('translation_segment_digest_idx', ['organizationId', 'translationId', 'digest'])
export class TranslationSegment {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'translation_segment_pkey',
  })
  organizationId: string;

  @PrimaryColumn({
    name: 'translation_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'translation_segment_pkey',
  })
  translationId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'translation_segment_pkey' })
  id: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ name: 'source_item_id', type: 'text', collation: 'C' })
  sourceItemId: string;

  @Column({ name: 'item_id', type: 'text', collation: 'C' })
  itemId: string;

  @Column({ type: 'integer' })
  position: number;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'jsonb' })
  source: object;

  @Column({ type: 'jsonb' })
  target: object;

  @Column({ type: 'text' })
  state: string;

  @Column({ type: 'jsonb', nullable: true })
  former: object | null;

  @Column({ type: 'boolean' })
  published: boolean;

  @Column({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
