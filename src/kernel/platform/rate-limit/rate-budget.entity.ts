import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How much of a limit was used within a window of time. */
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
