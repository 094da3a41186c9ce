import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The words that an organization uses for one another. */
@OrganizationTable()
@Entity('search_synonyms')
@ForeignKey('User', ['updatedBy'], ['id'], { name: 'search_synonyms_author_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'search_synonyms_organization_fk' })
export class SearchSynonyms {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'search_synonyms_pkey',
  })
  organizationId: string;

  @Column({ type: 'jsonb' })
  groups: object;

  @Column({ name: 'updated_by', type: 'text', collation: 'C' })
  updatedBy: string;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
