import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last tick of a schedule, for all servers together. */
@Entity('clockwork')
export class ScheduleTick {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'clockwork_pkey' })
  name: string;

  @Column({ name: 'ticked_at', type: 'timestamptz', precision: 3 })
  tickedAt: Date;
}
