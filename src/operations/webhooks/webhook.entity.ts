import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A webhook of an organization. */
@OrganizationTable()
@Entity('webhook')
@ForeignKey('User', ['createdBy'], ['id'], { name: 'webhook_created_by_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'webhook_organization_fk', onDelete: 'CASCADE' })
@Unique('webhook_organization_key', ['organizationId', 'id'])
@Index('webhook_list_idx', { synchronize: false })
export class Webhook {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'webhook_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text' })
  description: string;

  @Column({ type: 'text', array: true })
  events: string[];

  @Column({ type: 'text', array: true, nullable: true })
  spaces: string[] | null;

  @Column({ type: 'boolean' })
  active: boolean;

  @Column({ type: 'bytea' })
  secret: Buffer;

  @Column({ name: 'previous_secret', type: 'bytea', nullable: true })
  previousSecret: Buffer | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil: Date | null;

  @Column({ type: 'integer', default: 0 })
  failures: number;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: string | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', precision: 3, nullable: true })
  disabledAt: Date | null;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
