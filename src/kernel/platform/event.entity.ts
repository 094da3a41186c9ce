import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../common/table-kind.js';

/** Something that happened, recorded in the transaction that did it. The table is partitioned by month. */
@OrganizationTable()
@Entity('event')
@Index('event_organization_idx', { synchronize: false })
@Index('event_space_idx', { synchronize: false })
export class Event {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'event_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C', nullable: true })
  organizationId: string | null;

  @Column({ name: 'space_id', type: 'text', collation: 'C', nullable: true })
  spaceId: string | null;

  @Column({ type: 'text' })
  type: string;

  @Column({ name: 'actor_id', type: 'text', collation: 'C', nullable: true })
  actorId: string | null;

  @Column({ name: 'token_id', type: 'text', collation: 'C', nullable: true })
  tokenId: string | null;

  @Column({ type: 'text', nullable: true })
  ip: string | null;

  @Column({ type: 'text', collation: 'C' })
  target: string;

  @Column({ type: 'jsonb', default: () => `'{}'` })
  payload: object;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;
}
