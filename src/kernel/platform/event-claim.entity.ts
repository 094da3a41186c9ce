import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../common/table-kind.js';

/** An event that a consumer has yet to process. */
@OrganizationTable()
@Entity('event_claim')
@ForeignKey('EventConsumer', ['consumer'], ['name'], { name: 'event_claim_consumer_fk', onDelete: 'CASCADE' })
@Index('event_claim_due_idx', { synchronize: false })
@Index('event_claim_event_idx', ['eventId'])
export class EventClaim {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'event_claim_pkey' })
  consumer: string;

  @PrimaryColumn({ name: 'event_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'event_claim_pkey' })
  eventId: string;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'boolean', default: false })
  dead: boolean;

  @Column({ type: 'text', nullable: true })
  problem: string | null;
}
