import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** A change request that is a branch of the repository of an installation, and a pull request where its server has these. */
@OrganizationTable()
@Entity('git_request_branch')
@ForeignKey('GitInstallation', ['installationId'], ['id'], {
  name: 'git_request_branch_installation_fk',
  onDelete: 'CASCADE',
})
@Unique('git_request_branch_ref_key', ['installationId', 'ref'])
@Index('git_request_branch_change_request_idx', ['changeRequestId'])
export class GitRequestBranch {
  @PrimaryColumn({
    name: 'installation_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'git_request_branch_pkey',
  })
  installationId: string;

  @PrimaryColumn({
    name: 'change_request_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'git_request_branch_pkey',
  })
  changeRequestId: string;

  @Column({ type: 'text' })
  ref: string;

  @Column({ type: 'text', nullable: true })
  oid: string | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  revision: string | null;

  @Column({ name: 'base_oid', type: 'text', nullable: true })
  baseOid: string | null;

  @Column({ name: 'base_revision', type: 'text', collation: 'C', nullable: true })
  baseRevision: string | null;

  @Column({ name: 'pushed_oid', type: 'text', nullable: true })
  pushedOid: string | null;

  @Column({ name: 'pushed_revision', type: 'text', collation: 'C', nullable: true })
  pushedRevision: string | null;

  @Column({ type: 'integer', nullable: true })
  number: number | null;

  @Column({ type: 'text', nullable: true })
  wording: string | null;

  @Column({ type: 'text', nullable: true })
  failure: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
