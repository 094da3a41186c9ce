import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { XID8 } from '../../kernel/common/column-types.js';

/** A change of the total of a collection by one transaction, until it is added. */
@OrganizationTable()
@Entity('collection_total_change')
@Index('collection_total_change_transaction_idx', ['transaction'])
export class CollectionTotalChange {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'collection_total_change_pkey',
  })
  id: string;

  @Column({ type: XID8, default: () => `pg_current_xact_id()` })
  transaction: string;

  @Column({ name: 'collection_id', type: 'text', collation: 'C' })
  collectionId: string;

  @Column({ type: 'bigint' })
  spaces: string;
}
