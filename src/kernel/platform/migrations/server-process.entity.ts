import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** A process that works on the database with the code of a release. */
@InstallationTable()
@Entity('server_process')
export class ServerProcess {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'server_process_pkey' })
  id: string;

  @Column({ type: 'text' })
  release: string;

  @Column({ type: 'text' })
  host: string;

  /** The contracting migrations that its code knows, as `history.name`. */
  @Column({ type: 'text', array: true })
  contractions: string[];

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 })
  seenAt: Date;
}
