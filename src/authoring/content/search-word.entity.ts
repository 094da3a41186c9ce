import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A word in a space, for the correction of queries. */
@Entity('search_word')
@Index('search_word_idx', ['spaceId', 'word'])
export class SearchWord {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C' })
  spaceId: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  word: string;

  @Column({ type: 'integer' })
  letters: number;
}
