import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A reference in a document. */
@OrganizationTable()
@Entity('document_ref')
@Check('document_ref_relation_check', `(relation = ANY (ARRAY['reference'::text, 'dependsOn'::text]))`)
@ForeignKey('StoredDocument', ['spaceId', 'hash'], ['spaceId', 'hash'], {
  name: 'document_ref_document_fk',
  onDelete: 'CASCADE',
})
export class DocumentRef {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'document_ref_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'document_ref_pkey' })
  hash: Buffer;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'document_ref_pkey' })
  idx: number;

  @Column({ type: 'text', collation: 'C' })
  kind: string;

  @Column({ type: 'text', collation: 'C' })
  target: string;

  @Column({ name: 'target_space_id', type: 'text', collation: 'C', nullable: true })
  targetSpaceId: string | null;

  @Column({ type: 'text', nullable: true })
  anchor: string | null;

  @Column({ type: 'text', nullable: true })
  node: string | null;

  @Column({ type: 'text', default: 'reference' })
  relation: string;
}
