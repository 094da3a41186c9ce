import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ReferenceTable } from '../common/table-kind.js';

/** A consumer of events. */
@ReferenceTable()
@Entity('event_consumer')
export class EventConsumer {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'event_consumer_pkey' })
  name: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'boolean', default: true })
  everywhere: boolean;
}
