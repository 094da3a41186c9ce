import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The number of spaces in a collection, including those of its descendants. */
@OrganizationTable()
@Entity('collection_total')
@ForeignKey('Collection', ['collectionId'], ['id'], { name: 'collection_total_collection_fk', onDelete: 'CASCADE' })
export class CollectionTotal {
  @PrimaryColumn({
    name: 'collection_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'collection_total_pkey',
  })
  collectionId: string;

  @Column({ type: 'bigint' })
  spaces: string;
}
