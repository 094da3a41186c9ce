import { Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A current text of a page of the primary content. */
@OrganizationTable()
@Entity('section_current')
export class SectionCurrent {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_current_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'section_current_pkey' })
  hash: Buffer;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_current_pkey' })
  pageId: string;
}
