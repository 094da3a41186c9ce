import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** The used part of a limit within a time window. */
@InstallationTable()
@Entity('rate_budget')
@Index('rate_budget_window_idx', ['windowNumber'])
export class RateBudget {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'rate_budget_pkey' })
  key: string;

  @Column({ name: 'window_number', type: 'bigint' })
  windowNumber: string;

  @Column({ type: 'integer' })
  used: number;
}
