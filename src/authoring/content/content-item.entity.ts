import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The head of a page, file, reusable content, variable or tag on a line. */
@OrganizationTable()
@Entity('content_item')
@Check(
  'content_item_kind_check',
  `(kind = ANY (ARRAY['page'::text, 'file'::text, 'reusable'::text, 'variable'::text, 'tag'::text]))`,
)
@Index('content_item_children_idx', { synchronize: false })
@Index('content_item_conditional_idx', { synchronize: false })
@Index('content_item_file_idx', { synchronize: false })
@Index('content_item_files_idx', { synchronize: false })
@Index('content_item_specification_idx', { synchronize: false })
export class ContentItem {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'content_item_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_item_pkey' })
  line: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_item_pkey' })
  kind: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'content_item_pkey' })
  id: string;

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

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
