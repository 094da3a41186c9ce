import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A delivery of an event to a webhook. */
@OrganizationTable()
@Entity('webhook_delivery')
@Check('webhook_delivery_status_check', `(status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))`)
@ForeignKey('Webhook', ['organizationId', 'webhookId'], ['organizationId', 'id'], {
  name: 'webhook_delivery_webhook_fk',
  onDelete: 'CASCADE',
})
@Unique('webhook_delivery_event_key', ['webhookId', 'eventId'])
@Index('webhook_delivery_created_idx', ['createdAt'])
@Index('webhook_delivery_due_idx', { synchronize: false })
@Index('webhook_delivery_list_idx', { synchronize: false })
export class WebhookDelivery {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'webhook_delivery_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'webhook_id', type: 'text', collation: 'C' })
  webhookId: string;

  @Column({ name: 'event_id', type: 'text', collation: 'C' })
  eventId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ name: 'attempted_at', type: 'timestamptz', precision: 3, nullable: true })
  attemptedAt: Date | null;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt: Date | null;

  @Column({ name: 'response_status', type: 'integer', nullable: true })
  responseStatus: number | null;

  @Column({ name: 'response_excerpt', type: 'text', nullable: true })
  responseExcerpt: string | null;

  @Column({ type: 'integer', nullable: true })
  duration: number | null;

  @Column({ type: 'text', nullable: true })
  problem: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
