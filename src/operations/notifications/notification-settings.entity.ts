import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import type { MailTime, StoredKinds } from './domain/kinds.js';

/** The choices of a person, for everything or for one organization. */
@OrganizationTable()
@Entity('notification_settings')
@Check(
  'notification_settings_mail_check',
  `(mail = ANY (ARRAY['immediately'::text, 'daily'::text, 'weekly'::text, 'never'::text]))`,
)
@ForeignKey('User', ['userId'], ['id'], { name: 'notification_settings_user_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'notification_settings_organization_fk',
  onDelete: 'CASCADE',
})
@Index('notification_settings_key', { synchronize: false })
@Index('notification_settings_organization_idx', ['organizationId'])
export class NotificationSettings {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'notification_settings_pkey' })
  id: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C' })
  userId: string;

  /** Null for the choices that hold everywhere. */
  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ type: 'jsonb', default: () => `'{}'` })
  kinds: StoredKinds;

  @Column({ type: 'text', default: 'immediately' })
  mail: MailTime;

  /** True if a letter tells each week what changed; null: where letters are weekly. */
  @Column({ type: 'boolean', nullable: true })
  digest: boolean | null;
}
