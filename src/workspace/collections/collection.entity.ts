import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** A folder of spaces and further collections. */
@OrganizationTable()
@Entity('collection')
@Unique('collection_organization_id_key', ['organizationId', 'id'])
@Index('collection_siblings_idx', ['organizationId', 'parentId', 'position', 'id'])
@Index('collection_closed_idx', { synchronize: false })
@Index('collection_parent_idx', ['parentId'])
@ForeignKey('Collection', ['organizationId', 'parentId'], ['organizationId', 'id'], { name: 'collection_parent_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'collection_organization_fk' })
@ForeignKey('User', ['createdBy'], ['id'], { name: 'collection_creator_fk' })
export class Collection {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'collection_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'parent_id', type: 'text', collation: 'C', nullable: true })
  parentId: string | null;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** Null inherits, `none` is no access. */
  @Column({ name: 'default_level', type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level', nullable: true })
  defaultLevel: AccessLevel | null;

  /** Position among the spaces and collections of the same parent. */
  @Column({ type: 'text', collation: 'C' })
  position: string;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
