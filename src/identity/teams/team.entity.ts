import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A team of an organization. */
@OrganizationTable()
@Entity('team')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'team_organization_fk' })
@Unique('team_organization_id_key', ['organizationId', 'id'])
@Index('team_list_idx', ['organizationId', 'createdAt', 'id'])
export class Team {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'team_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  title: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
