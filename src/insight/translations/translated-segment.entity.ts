import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A segment that was translated before. */
@OrganizationTable()
@Entity('translation_memory')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'translation_memory_space_fk' })
export class TranslatedSegment {
  @PrimaryColumn({
    name: 'space_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'translation_memory_pkey',
  })
  spaceId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'translation_memory_pkey' })
  language: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'translation_memory_pkey' })
  key: Buffer;

  @Column({ type: 'json' })
  segment: object;

  @Column({ name: 'used_at', type: 'timestamptz', precision: 3 })
  usedAt: Date;
}
