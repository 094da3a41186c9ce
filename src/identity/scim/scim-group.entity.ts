import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The name of a team at the identity provider that provisions it. */
@OrganizationTable()
@Entity('scim_group')
@Index('scim_group_external_key', ['organizationId', 'externalId'], { unique: true })
@ForeignKey('Team', ['organizationId', 'teamId'], ['organizationId', 'id'], {
  name: 'scim_group_team_fk',
  onDelete: 'CASCADE',
})
export class ScimGroup {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'scim_group_pkey' })
  organizationId: string;

  @PrimaryColumn({ name: 'team_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'scim_group_pkey' })
  teamId: string;

  @Column({ name: 'external_id', type: 'text' })
  externalId: string;
}
