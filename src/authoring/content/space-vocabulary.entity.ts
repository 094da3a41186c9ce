import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** Words of a space, for the correction of queries: those of one write, or of several that were merged. */
@OrganizationTable()
@Entity('space_vocabulary')
@Index('space_vocabulary_idx', ['spaceId', 'level'])
export class SpaceVocabulary {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  /** How often the words were merged. */
  @PrimaryColumn({ type: 'smallint', default: 0 })
  level: number;

  /** In their order, separated by line feeds. */
  @Column({ type: 'text', collation: 'C' })
  words: string;
}
