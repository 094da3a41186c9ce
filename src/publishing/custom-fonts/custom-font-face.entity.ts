import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** The file of one weight of a font. */
@OrganizationTable()
@Entity('custom_font_face')
@ForeignKey('CustomFont', ['fontId'], ['id'], { name: 'custom_font_face_font_fk', onDelete: 'CASCADE' })
@ForeignKey('Upload', ['uploadId'], ['id'], { name: 'custom_font_face_upload_fk' })
@Index('custom_font_face_upload_idx', ['uploadId'])
export class CustomFontFace {
  @PrimaryColumn({ name: 'font_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'custom_font_face_pkey' })
  fontId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'custom_font_face_pkey' })
  weight: number;

  @Column({ name: 'upload_id', type: 'text', collation: 'C' })
  uploadId: string;
}
