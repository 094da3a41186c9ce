import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A delivery of a hook that was taken. */
@OrganizationTable()
@Entity('git_delivery')
@ForeignKey('GitInstallation', ['installationId'], ['id'], {
  name: 'git_delivery_installation_fk',
  onDelete: 'CASCADE',
})
@Index('git_delivery_at_idx', ['at'])
export class GitDelivery {
  @PrimaryColumn({
    name: 'installation_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'git_delivery_pkey',
  })
  installationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'git_delivery_pkey' })
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;
}
