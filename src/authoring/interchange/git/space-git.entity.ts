import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** The branch that a space was last imported from or exported to. */
@OrganizationTable()
@Entity('space_git')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'space_git_space_fk' })
export class SpaceGit {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'space_git_pkey' })
  spaceId: string;

  @Column({ name: 'repo_name', type: 'text' })
  repoName: string;

  @Column({ type: 'text', nullable: true })
  provider: string | null;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text' })
  remote: string;

  @Column({ type: 'text' })
  ref: string;

  @Column({ type: 'text' })
  directory: string;

  @Column({ type: 'text' })
  oid: string;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  @Column({ name: 'context_hash', type: 'text', nullable: true })
  contextHash: string | null;

  @Column({ type: 'bytea', nullable: true, select: false })
  kept: Buffer | null;

  @Column({ name: 'event_at', type: 'timestamptz', precision: 3 })
  eventAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
