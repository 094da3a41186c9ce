import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** The translation that people have given to a text of the source, wherever the text stands. */
@OrganizationTable()
@Entity('translation_correction')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'translation_correction_organization_fk' })
export class TranslationCorrection {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'translation_correction_pkey',
  })
  organizationId: string;

  @PrimaryColumn({
    name: 'translation_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'translation_correction_pkey',
  })
  translationId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'translation_correction_pkey' })
  digest: Buffer;

  @Column({ type: 'jsonb' })
  source: object;

  @Column({ type: 'jsonb' })
  target: object;

  @Column({ type: 'boolean' })
  reviewed: boolean;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
