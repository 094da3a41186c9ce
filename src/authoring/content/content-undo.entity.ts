import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The version of an item before a revision replaced it. */
@OrganizationTable()
@Entity('content_undo')
@Index('content_undo_children_idx', { synchronize: false })
@Index('content_undo_file_idx', { synchronize: false })
@Index('content_undo_item_idx', ['spaceId', 'line', 'kind', 'id', 'sequence'])
@Index('content_undo_specification_idx', { synchronize: false })
export class ContentUndo {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_undo_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_undo_pkey' })
  line: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'content_undo_pkey' })
  sequence: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_undo_pkey' })
  kind: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_undo_pkey' })
  id: string;

  @Column({ type: 'boolean' })
  existed: boolean;

  @Column({ type: 'boolean', default: false })
  deleted: boolean;

  @Column({ name: 'parent_id', type: 'text', collation: 'C', default: '' })
  parentId: string;

  @Column({ type: 'text', collation: 'C', default: '' })
  position: string;

  @Column({ type: 'text', collation: 'C', default: '' })
  type: string;

  @Column({ type: 'text', collation: 'C', nullable: true })
  slug: string | null;

  @Column({ type: 'text', default: '' })
  title: string;

  @Column({ type: 'jsonb', default: () => `'{}'` })
  props: object;

  @Column({ type: 'bytea', nullable: true })
  hash: Buffer | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, nullable: true })
  createdAt: Date | null;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}
