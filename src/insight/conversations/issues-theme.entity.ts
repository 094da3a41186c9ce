import { Column, Entity, ForeignKey, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** Clusters of issues that are about related matters. */
@OrganizationTable()
@Entity('issues_theme')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'issues_theme_organization_fk', onDelete: 'CASCADE' })
export class IssuesTheme {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'issues_theme_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'issues_theme_pkey' })
  id: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ type: 'text' })
  icon: string;

  @Column({ type: 'text' })
  summary: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
