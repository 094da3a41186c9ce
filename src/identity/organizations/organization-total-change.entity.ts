import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { XID8 } from '../../kernel/common/column-types.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';

/** A change of the totals of an organization by one transaction, until it is added. */
@OrganizationTable()
@Entity('organization_total_change')
@Index('organization_total_change_transaction_idx', ['transaction'])
export class OrganizationTotalChange {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'organization_total_change_pkey',
  })
  id: string;

  @Column({ type: XID8, default: () => `pg_current_xact_id()` })
  transaction: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'bigint', default: 0 })
  spaces: string;

  @Column({ type: 'bigint', default: 0 })
  members: string;

  @Column({ type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level', nullable: true })
  role: AccessLevel | null;

  @Column({ type: 'boolean', nullable: true })
  disabled: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  seen: boolean | null;
}
