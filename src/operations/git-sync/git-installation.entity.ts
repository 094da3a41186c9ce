import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The branch of a repository that a space is kept equal with, or the structure of a site. */
@OrganizationTable()
@Entity('git_installation')
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'git_installation_space_fk' })
@ForeignKey('Site', ['siteId'], ['id'], { name: 'git_installation_site_fk', onDelete: 'CASCADE' })
@ForeignKey('GitInstallation', ['parentId'], ['id'], { name: 'git_installation_parent_fk', onDelete: 'CASCADE' })
@ForeignKey('User', ['createdBy'], ['id'], { name: 'git_installation_creator_fk' })
@ForeignKey('User', ['updatedBy'], ['id'], { name: 'git_installation_updater_fk' })
@Unique('git_installation_space_key', ['spaceId'])
@Unique('git_installation_site_key', ['siteId'])
@Index('git_installation_parent_idx', ['parentId'])
@Index('git_installation_due_idx', ['dueAt'])
@Index('git_installation_creator_idx', ['createdBy'])
@Index('git_installation_updater_idx', ['updatedBy'])
export class GitInstallation {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'git_installation_pkey' })
  id: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C', nullable: true })
  spaceId: string | null;

  @Column({ name: 'site_id', type: 'text', collation: 'C', nullable: true })
  siteId: string | null;

  @Column({ name: 'parent_id', type: 'text', collation: 'C', nullable: true })
  parentId: string | null;

  @Column({ name: 'agreed_oid', type: 'text', nullable: true })
  agreedOid: string | null;

  @Column({ name: 'agreed_file', type: 'text', nullable: true })
  agreedFile: string | null;

  @Column({ name: 'agreed_structure', type: 'text', nullable: true })
  agreedStructure: string | null;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ name: 'server_url', type: 'text', nullable: true })
  serverUrl: string | null;

  @Column({ name: 'repository_id', type: 'text', nullable: true })
  repositoryId: string | null;

  @Column({ type: 'text', nullable: true })
  ref: string | null;

  @Column({ type: 'text', default: '' })
  directory: string;

  @Column({ name: 'commit_message', type: 'text', nullable: true })
  commitMessage: string | null;

  @Column({ type: 'boolean', default: true })
  squash: boolean;

  @Column({ name: 'preview_external_branches', type: 'boolean', default: false })
  previewExternalBranches: boolean;

  @Column({ type: 'text', nullable: true })
  priority: string | null;

  @Column({ type: 'bytea', nullable: true })
  credentials: Buffer | null;

  @Column({ name: 'app_id', type: 'text', nullable: true })
  appId: string | null;

  @Column({ name: 'app_installation_id', type: 'text', nullable: true })
  appInstallationId: string | null;

  @Column({ name: 'deploy_key', type: 'text', nullable: true })
  deployKey: string | null;

  @Column({ name: 'deploy_secret', type: 'bytea', nullable: true })
  deploySecret: Buffer | null;

  @Column({ name: 'host_key', type: 'text', nullable: true })
  hostKey: string | null;

  @Column({ name: 'hook_secret', type: 'bytea' })
  hookSecret: Buffer;

  @Column({ name: 'pushed_oid', type: 'text', nullable: true })
  pushedOid: string | null;

  @Column({ name: 'pushed_revision', type: 'text', collation: 'C', nullable: true })
  pushedRevision: string | null;

  /** The hash of the file of a site that is being pushed. */
  @Column({ name: 'pushed_file', type: 'text', nullable: true })
  pushedFile: string | null;

  /** The revision of a space beside it that has moved linked pages, until the links are written. */
  @Column({ name: 'moved_beside', type: 'text', collation: 'C', nullable: true })
  movedBeside: string | null;

  @Column({ name: 'merged_oid', type: 'text', nullable: true })
  mergedOid: string | null;

  /** The revision of the change request that says what the branch says at `mergedOid`. */
  @Column({ name: 'merged_revision', type: 'text', collation: 'C', nullable: true })
  mergedRevision: string | null;

  @Column({ name: 'change_request_id', type: 'text', collation: 'C', nullable: true })
  changeRequestId: string | null;

  @Column({ name: 'request_oid', type: 'text', nullable: true })
  requestOid: string | null;

  /** The revision of the change request that says what the branch says at `requestOid`. */
  @Column({ name: 'request_revision', type: 'text', collation: 'C', nullable: true })
  requestRevision: string | null;

  @Column({ type: 'text', nullable: true })
  failure: string | null;

  @Column({ type: 'integer', default: 0 })
  failures: number;

  /** The head of the branch at which the last run failed, see `keptHead`; null where it had not seen one. */
  @Column({ name: 'failed_oid', type: 'text', nullable: true })
  failedOid: string | null;

  /** The time at which the same head is tried again after a failure. */
  @Column({ name: 'retry_at', type: 'timestamptz', precision: 3, nullable: true })
  retryAt: Date | null;

  @Column({ name: 'is_refused', type: 'boolean', default: false })
  isRefused: boolean;

  @Column({ name: 'last_run_id', type: 'text', collation: 'C', nullable: true })
  lastRunId: string | null;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'updated_by', type: 'text', collation: 'C' })
  updatedBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
