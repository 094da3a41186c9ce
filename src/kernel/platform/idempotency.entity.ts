import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../common/table-kind.js';

/** The stored response to a request with an `Idempotency-Key`, sent again for the same request. */
@OrganizationTable()
@Entity('idempotency')
@ForeignKey('User', ['userId'], ['id'], { name: 'idempotency_user_fk' })
@Index('idempotency_created_idx', ['createdAt'])
export class Idempotency {
  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'idempotency_pkey' })
  userId: string;

  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'idempotency_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_pkey' })
  method: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'idempotency_pkey' })
  path: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'idempotency_pkey' })
  key: string;

  @Column({ name: 'request_hash', type: 'bytea' })
  requestHash: Buffer;

  @Column({ type: 'integer' })
  status: number;

  @Column({ type: 'bytea', nullable: true })
  response: Buffer | null;

  @Column({ name: 'created_id', type: 'text', collation: 'C', nullable: true })
  createdId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
