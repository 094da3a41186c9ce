import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** Instructions of an organization for agents that read or write its content. */
@OrganizationTable()
@Entity('agent_instructions')
@ForeignKey('User', ['updatedBy'], ['id'], { name: 'agent_instructions_author_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'agent_instructions_organization_fk' })
export class AgentInstructions {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'agent_instructions_pkey',
  })
  organizationId: string;

  @Column({ type: 'jsonb' })
  instructions: object;

  @Column({ name: 'updated_by', type: 'text', collation: 'C' })
  updatedBy: string;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
