import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../../kernel/common/table-kind.js';

/** The state of a part of what sites show, as shared caches were told of it. */
@OrganizationTable()
@Entity('shared_cache_state')
@Check('shared_cache_state_kind_check', `kind IN ('site', 'space', 'specifications', 'verifications')`)
export class SharedCacheState {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'shared_cache_state_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'shared_cache_state_pkey' })
  kind: string;

  /** The id of a site or a space, or that of the organization. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'shared_cache_state_pkey' })
  id: string;

  /** The state of which caches were told last; '' where the part was gone. */
  @Column({ type: 'text' })
  told: string;

  @Column({ name: 'told_at', type: 'timestamptz', precision: 3 })
  toldAt: Date;

  /** The state of which they were told twice; null before the first time. */
  @Column({ type: 'text', nullable: true })
  confirmed: string | null;
}
