import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A consumer of events. */
@Entity('event_consumer')
export class EventConsumer {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'event_consumer_pkey' })
  name: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'boolean', default: true })
  everywhere: boolean;
}
