import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';

/** Bytes that are stored once by their SHA-256, however many rows refer to them. */
@InstallationTable()
@Entity('blob')
@Check('blob_hash_check', `(octet_length(hash) = 32)`)
@Index('blob_unreferenced_idx', { synchronize: false })
export class Blob {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'blob_pkey' })
  hash: Buffer;

  @Column({ type: 'bigint' })
  size: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'unreferenced_since', type: 'timestamptz', precision: 3, nullable: true })
  unreferencedSince: Date | null;
}
