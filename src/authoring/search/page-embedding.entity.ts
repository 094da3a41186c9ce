import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The vectors of the sections of a page, as the bits of their signs. */
@OrganizationTable()
@Entity('page_embedding')
@Index('page_embedding_sketch_idx', { synchronize: false })
export class PageEmbedding {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_embedding_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_embedding_pkey' })
  pageId: string;

  /** The name of the vectors: only vectors of one name can be compared. */
  @Column({ type: 'text' })
  model: string;

  /** The SHA-256 of what the vectors were made from. */
  @Column({ type: 'bytea' })
  source: Buffer;

  /** The vector of all sections together; null for a page without any text. */
  @Column({ type: 'bit varying', nullable: true })
  sketch: string | null;

  /** The hashes of the sections, in their order. */
  @Column({ type: 'bytea', array: true })
  hashes: Buffer[];

  /** A sketch for each section, in their order. */
  @Column({ type: 'bit varying', array: true })
  sketches: string[];
}
