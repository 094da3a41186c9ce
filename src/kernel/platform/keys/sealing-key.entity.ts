import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ReferenceTable } from '../../common/table-kind.js';

/** A key that encrypts stored secrets, and when it was used last. */
@ReferenceTable()
@Entity('sealing_key')
export class SealingKey {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'sealing_key_pkey' })
  id: string;

  @Column({ name: 'current_at', type: 'timestamptz', precision: 3 })
  currentAt: Date;

  @Column({ name: 'free_at', type: 'timestamptz', precision: 3, nullable: true })
  freeAt: Date | null;
}
