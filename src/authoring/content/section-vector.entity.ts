import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The search vectors of a text of a section. */
@OrganizationTable()
@Entity('section_vector')
@Index('section_vector_text_idx', { synchronize: false })
export class SectionVector {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'section_vector_pkey' })
  spaceId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'section_vector_pkey' })
  hash: Buffer;

  @Column({ name: 'heading_vector', type: 'tsvector' })
  headingVector: string;

  @Column({ type: 'tsvector' })
  vector: string;
}
