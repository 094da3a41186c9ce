import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** A lane of an organization, in which one job of a kind runs at a time. */
@InstallationTable()
@Entity('job_lane')
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'job_lane_organization_fk', onDelete: 'CASCADE' })
export class JobLane {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'job_lane_pkey' })
  organizationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'job_lane_pkey' })
  job: string;

  @Column({ type: 'boolean', default: false })
  woken: boolean;

  @Column({ name: 'run_id', type: 'text', nullable: true })
  runId: string | null;

  @Column({ name: 'leased_until', type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil: Date | null;
}
