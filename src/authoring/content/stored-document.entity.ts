import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A document, stored once in a space under the hash of its canonical JSON. */
@OrganizationTable()
@Entity('document')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'document_space_fk' })
@Index('document_conditional_idx', { synchronize: false })
export class StoredDocument {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'document_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'document_pkey' })
  hash: Buffer;

  @Column({ type: 'json' })
  body: object;

  @Column({ type: 'integer' })
  words: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'text', array: true, nullable: true })
  anchors: string[] | null;

  @Column({ type: 'jsonb', default: () => `'[]'` })
  sections: object;

  @Column({ name: 'section_texts', type: 'bytea', array: true, default: () => `'{}'` })
  sectionTexts: Buffer[];
}
