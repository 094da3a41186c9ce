import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** When a schedule ticked last, for all servers together. */
@InstallationTable()
@Entity('schedule_tick')
export class ScheduleTick {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'schedule_tick_pkey' })
  name: string;

  @Column({ name: 'ticked_at', type: 'timestamptz', precision: 3 })
  tickedAt: Date;
}
