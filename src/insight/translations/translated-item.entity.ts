import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The key of a translated item. */
@OrganizationTable()
@Entity('translated_item')
@ForeignKey('Translation', ['spaceId'], ['resultSpaceId'], { name: 'translated_item_space_fk', onDelete: 'CASCADE' })
export class TranslatedItem {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'translated_item_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'translated_item_pkey' })
  kind: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'translated_item_pkey' })
  id: string;

  @Column({ type: 'bytea' })
  fingerprint: Buffer;
}
