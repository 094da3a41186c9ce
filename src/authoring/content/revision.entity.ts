import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A revision of a line. */
@OrganizationTable()
@Entity('revision')
@Check(
  'revision_type_check',
  `(type = ANY (ARRAY['edits'::text, 'merge'::text, 'rollback'::text, 'update'::text, 'computed'::text]))`,
)
@ForeignKey('User', ['authorId'], ['id'], { name: 'revision_author_fk' })
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'revision_space_fk' })
@Unique('revision_line_sequence_key', ['spaceId', 'line', 'sequence'])
export class Revision {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'revision_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @Column({ type: 'text', collation: 'C', default: '' })
  line: string;

  @Column({ type: 'bigint' })
  sequence: string;

  @Column({ name: 'base_sequence', type: 'bigint' })
  baseSequence: string;

  @Column({ name: 'base_revision_id', type: 'text', collation: 'C', nullable: true })
  baseRevisionId: string | null;

  @Column({ type: 'text', array: true, collation: 'C', default: () => `'{}'` })
  parents: string[];

  @Column({ type: 'text' })
  type: string;

  @Column({ name: 'author_id', type: 'text', collation: 'C', nullable: true })
  authorId: string | null;

  /** The name of the agent that acted for the author. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ type: 'text', nullable: true })
  message: string | null;

  @Column({ type: 'jsonb', nullable: true })
  git: object | null;

  @Column({ name: 'merged_from', type: 'text', collation: 'C', nullable: true })
  mergedFrom: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'rolled_back_to', type: 'text', collation: 'C', nullable: true })
  rolledBackTo: string | null;

  /** The revision of another space that a computed one follows from. */
  @Column({ name: 'source_revision', type: 'text', collation: 'C', nullable: true })
  sourceRevision: string | null;
}
