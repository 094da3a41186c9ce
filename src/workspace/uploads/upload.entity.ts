import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A file that was uploaded to be imported, or as a font of a site. */
@OrganizationTable()
@Entity('upload')
@Check('upload_kind_check', `(kind = ANY (ARRAY['customization_font'::text, 'import_file'::text]))`)
@ForeignKey('Blob', ['hash'], ['hash'], { name: 'upload_hash_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'upload_organization_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'upload_user_fk' })
@Index('upload_created_idx', ['createdAt'])
@Index('upload_hash_idx', { synchronize: false })
@Index('upload_organization_idx', ['organizationId'])
@Index('upload_user_idx', ['userId'])
export class Upload {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'upload_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'content_type', type: 'text' })
  contentType: string;

  @Column({ type: 'bigint' })
  size: string;

  @Column({ type: 'bytea', nullable: true })
  hash: Buffer | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
