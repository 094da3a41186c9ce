import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../common/table-kind.js';
import type { VariantFormat } from './image-tasks.js';

/** An image in another size and format, or the knowledge that it is served as it is. */
@InstallationTable()
@Entity('image_variant')
@Check('image_variant_format_check', `(format = ANY (ARRAY['avif'::text, 'webp'::text]))`)
@Check('image_variant_size_check', `((hash IS NULL) = (size IS NULL))`)
@ForeignKey('Blob', ['source'], ['hash'], { name: 'image_variant_source_fk', onDelete: 'CASCADE' })
@ForeignKey('Blob', ['hash'], ['hash'], { name: 'image_variant_hash_fk' })
@Index('image_variant_source_idx', ['source'])
@Index('image_variant_hash_idx', { synchronize: false })
export class ImageVariant {
  @PrimaryColumn({ name: 'file_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'image_variant_pkey' })
  fileId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'image_variant_pkey' })
  source: Buffer;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'image_variant_pkey' })
  width: number;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'image_variant_pkey' })
  format: VariantFormat;

  @Column({ type: 'bytea', nullable: true })
  hash: Buffer | null;

  @Column({ type: 'integer', nullable: true })
  size: number | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
