import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';
import type { RunResult } from '../../imports/imports.schema.js';

/**
 * A pull request of the repository of an installation, and the change request that follows it. The installation of a site has a row
 * for what is told at the forge, and those of its spaces have one for each change request.
 */
@OrganizationTable()
@Entity('git_pull_request')
@ForeignKey('GitInstallation', ['installationId'], ['id'], {
  name: 'git_pull_request_installation_fk',
  onDelete: 'CASCADE',
})
@Index('git_pull_request_change_request_idx', ['changeRequestId'])
export class GitPullRequest {
  @PrimaryColumn({
    name: 'installation_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'git_pull_request_pkey',
  })
  installationId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'git_pull_request_pkey' })
  number: number;

  @Column({ type: 'text' })
  state: string;

  @Column({ name: 'change_request_id', type: 'text', collation: 'C', nullable: true })
  changeRequestId: string | null;

  @Column({ name: 'imported_oid', type: 'text', nullable: true })
  importedOid: string | null;

  @Column({ name: 'imported_revision', type: 'text', collation: 'C', nullable: true })
  importedRevision: string | null;

  /** False while it changes nothing in the folder of a space of a site. */
  @Column({ type: 'boolean', default: true })
  touches: boolean;

  @Column({ name: 'changed_oid', type: 'text', nullable: true })
  changedOid: string | null;

  /** The files that it changes up to that commit; null for too many, which concern every space. */
  @Column({ name: 'changed_paths', type: 'jsonb', nullable: true })
  changedPaths: readonly string[] | null;

  @Column({ type: 'jsonb', default: [] })
  problems: RunResult['problems'];

  @Column({ type: 'text', nullable: true })
  failure: string | null;

  @Column({ name: 'comment_id', type: 'text', nullable: true })
  commentId: string | null;

  @Column({ type: 'text', nullable: true })
  reported: string | null;

  /** The run that tells the forge how it is. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  teller: string | null;

  /** Another run has met something newer than that one tells. */
  @Column({ name: 'is_outdated', type: 'boolean', default: false })
  isOutdated: boolean;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
