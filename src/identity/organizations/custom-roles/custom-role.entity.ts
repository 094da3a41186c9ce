import { Column, Entity, ForeignKey, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../../kernel/common/roles.js';

/** A role of an organization's own: its base, and the permissions that it adds. */
@OrganizationTable()
@Entity('custom_role')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'custom_role_organization_fk' })
@Unique('custom_role_base_key', ['id', 'base'])
@Unique('custom_role_organization_base_key', ['organizationId', 'id', 'base'])
export class CustomRole {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'custom_role_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  base: AccessLevel;

  @Column({ type: 'text', array: true })
  permissions: string[];

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
