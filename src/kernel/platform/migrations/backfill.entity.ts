import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** A statement of a migration that changes the rows of a table in batches, and how far it has come. */
@InstallationTable()
@Entity('backfill')
export class Backfill {
  /** The table that records the migration. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'backfill_pkey' })
  history: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'backfill_pkey' })
  migration: string;

  @Column({ name: 'migration_time', type: 'bigint' })
  migrationTime: string;

  @Column({ name: 'table_name', type: 'text' })
  table: string;

  @Column({ name: 'key_columns', type: 'text', array: true })
  key: string[];

  @Column({ name: 'batch_rows', type: 'integer' })
  rows: number;

  @Column({ type: 'text' })
  statement: string;

  /** The key of the last row of the last batch; null before the first. */
  @Column({ name: 'last_key', type: 'text', array: true, nullable: true })
  lastKey: string[] | null;

  /** An estimate of the rows of the table at the beginning. */
  @Column({ name: 'expected_rows', type: 'bigint' })
  expectedRows: string;

  @Column({ name: 'done_rows', type: 'bigint', default: 0 })
  doneRows: string;

  @Column({ name: 'begun_at', type: 'timestamptz', precision: 3 })
  begunAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  /** The reason why the last batch failed; null after one that did not. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;
}
