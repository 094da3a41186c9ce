import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The state of the cluster engine of an organization. */
@OrganizationTable()
@Entity('conversation_analysis')
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'conversation_analysis_organization_fk',
  onDelete: 'CASCADE',
})
export class ConversationAnalysis {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'conversation_analysis_pkey',
  })
  organizationId: string;

  @Column({ type: 'bytea', nullable: true })
  model: Buffer | null;

  @Column({ name: 'model_version', type: 'integer', default: 0 })
  modelVersion: number;

  /** The version of the engine that made the last rebuild, and that of the model it made. */
  @Column({ name: 'engine_version', type: 'integer', default: 0 })
  engineVersion: number;

  @Column({ name: 'engine_model_version', type: 'integer', default: 0 })
  engineModelVersion: number;

  @Column({ name: 'built_at', type: 'timestamptz', precision: 3, nullable: true })
  builtAt: Date | null;

  @Column({ name: 'built_issues', type: 'integer', default: 0 })
  builtIssues: number;

  @Column({ name: 'changed_issues', type: 'integer', default: 0 })
  changedIssues: number;

  /** Counts decisions about clusters and their ends: a rebuild that began before one of them is not stored. */
  @Column({ type: 'integer', default: 0 })
  decisions: number;

  @Column({ type: 'text', nullable: true })
  problem: string | null;
}
