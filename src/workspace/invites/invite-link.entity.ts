import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** A link by which people join an organization, a space or a collection. */
@OrganizationTable()
@Entity('invite_link')
@Check('invite_link_target_check', `((space_id IS NULL) OR (collection_id IS NULL))`)
@ForeignKey('Collection', ['organizationId', 'collectionId'], ['organizationId', 'id'], {
  name: 'invite_link_collection_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('User', ['createdBy'], ['id'], { name: 'invite_link_creator_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'invite_link_organization_fk' })
@ForeignKey('Space', ['organizationId', 'spaceId'], ['organizationId', 'id'], { name: 'invite_link_space_fk' })
@Index('invite_link_collection_idx', { synchronize: false })
@Index('invite_link_hash_key', ['hash'], { unique: true })
@Index('invite_link_list_idx', ['organizationId', 'createdAt', 'id'])
@Index('invite_link_space_idx', { synchronize: false })
export class InviteLink {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'invite_link_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'space_id', type: 'text', collation: 'C', nullable: true })
  spaceId: string | null;

  @Column({ name: 'collection_id', type: 'text', collation: 'C', nullable: true })
  collectionId: string | null;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level' })
  role: AccessLevel;

  @Column({ type: 'bytea' })
  hash: Buffer;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
