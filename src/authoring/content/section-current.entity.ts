import { Entity, PrimaryColumn } from 'typeorm';

/** A current text of a page of the primary content. */
@Entity('section_current')
export class SectionCurrent {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_current_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'section_current_pkey' })
  hash: Buffer;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_current_pkey' })
  pageId: string;
}
