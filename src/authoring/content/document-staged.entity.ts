import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A document written for a change that is not committed yet. */
@OrganizationTable()
@Entity('document_staged')
@Index('document_staged_at_idx', ['stagedAt'])
export class DocumentStaged {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'document_staged_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'document_staged_pkey' })
  hash: Buffer;

  @Column({ name: 'staged_at', type: 'timestamptz', precision: 3 })
  stagedAt: Date;
}
