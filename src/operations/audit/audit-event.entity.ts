import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A line of the audit log of an organization. The table is partitioned by month. */
@OrganizationTable()
@Entity('audit_event')
@Check('audit_event_actor_check', `(actor_type = ANY (ARRAY['user'::text, 'integration'::text, 'system'::text]))`)
@Check(
  'audit_event_source_check',
  `(source = ANY (ARRAY['api'::text, 'integration'::text, 'workflow'::text, 'script'::text]))`,
)
@Index('audit_event_action_idx', ['organizationId', 'action', 'occurredAt', 'id'])
@Index('audit_event_actor_idx', ['organizationId', 'actorId', 'occurredAt', 'id'])
@Index('audit_event_target_idx', ['organizationId', 'targetId', 'occurredAt', 'id'])
@Index('audit_event_time_idx', ['organizationId', 'occurredAt', 'id'])
export class AuditEvent {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'audit_event_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'event_id', type: 'text', collation: 'C' })
  eventId: string;

  @PrimaryColumn({
    name: 'occurred_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'audit_event_pkey',
  })
  occurredAt: Date;

  @Column({ type: 'text', collation: 'C' })
  action: string;

  @Column({ type: 'text' })
  source: string;

  @Column({ name: 'actor_type', type: 'text' })
  actorType: string;

  @Column({ name: 'actor_id', type: 'text', collation: 'C' })
  actorId: string;

  @Column({ name: 'actor_label', type: 'text', nullable: true })
  actorLabel: string | null;

  @Column({ name: 'token_id', type: 'text', collation: 'C', nullable: true })
  tokenId: string | null;

  @Column({ name: 'token_name', type: 'text', nullable: true })
  tokenName: string | null;

  /** The name of the agent that used the token. */
  @Column({ type: 'text', nullable: true })
  agent: string | null;

  @Column({ type: 'text', nullable: true })
  ip: string | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  @Column({ name: 'target_type', type: 'text' })
  targetType: string;

  @Column({ name: 'target_id', type: 'text', collation: 'C' })
  targetId: string;

  @Column({ name: 'target_label', type: 'text', nullable: true })
  targetLabel: string | null;

  @Column({ type: 'jsonb' })
  payload: object;
}
