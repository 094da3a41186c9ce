import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';
import type { MergeRules } from '../../identity/organizations/domain/merge-rules.js';

export type EditMode = 'live' | 'locked';

/** A container of pages. The content module stores its content; this row points to the head of its primary line. */
@OrganizationTable()
@Entity('space')
@Unique('space_organization_id_key', ['organizationId', 'id'])
@Check('space_edit_mode_check', `edit_mode IN ('live', 'locked')`)
@Index('space_siblings_idx', ['organizationId', 'collectionId', 'position', 'id'])
@ForeignKey('Collection', ['organizationId', 'collectionId'], ['organizationId', 'id'], { name: 'space_collection_fk' })
@Index('space_deleted_idx', { synchronize: false })
@Index('space_collection_list_idx', { synchronize: false })
@Index('space_list_idx', { synchronize: false })
@Index('space_closed_idx', { synchronize: false })
@Index('space_creator_idx', ['organizationId', 'createdBy'])
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'space_organization_fk' })
@ForeignKey('User', ['createdBy'], ['id'], { name: 'space_creator_fk' })
export class Space {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'space_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'collection_id', type: 'text', collation: 'C', nullable: true })
  collectionId: string | null;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', nullable: true })
  emoji: string | null;

  @Column({ type: 'text', nullable: true })
  icon: string | null;

  @Column({ name: 'edit_mode', type: 'text', default: 'locked' })
  editMode: EditMode;

  @Column({ type: 'text', nullable: true })
  language: string | null;

  /** Null inherits, `none` is no access. */
  @Column({ name: 'default_level', type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level', nullable: true })
  defaultLevel: AccessLevel | null;

  @Column({ name: 'merge_rules', type: 'jsonb', default: () => `'{"type": "inherit"}'` })
  mergeRules: MergeRules;

  /** Position among the spaces and collections of the same parent. */
  @Column({ type: 'text', collation: 'C' })
  position: string;

  @Column({ name: 'revision_id', type: 'text', collation: 'C' })
  revisionId: string;

  /** Number of the latest revision of the primary line. */
  @Column({ type: 'bigint', default: 0 })
  sequence: string;

  @Column({ name: 'change_request_number', type: 'integer', default: 0 })
  changeRequestNumber: number;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  /** True if it was moved from another organization, under whose name texts may still be indexed. */
  @Column({ name: 'is_transferred', type: 'boolean', default: false })
  isTransferred: boolean;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}
