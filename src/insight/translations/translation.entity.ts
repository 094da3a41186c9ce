import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A translated space, made from the primary content of its source. */
@OrganizationTable()
@Entity('translation')
@Check('translation_slugs_check', `(slugs = ANY (ARRAY['keep'::text, 'translate'::text]))`)
@Check('translation_status_check', `(status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text]))`)
@Check('translation_variant_check', `(char_length(variant) <= 20)`)
@ForeignKey('User', ['createdBy'], ['id'], { name: 'translation_creator_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'translation_organization_fk' })
@ForeignKey('Space', ['organizationId', 'resultSpaceId'], ['organizationId', 'id'], { name: 'translation_result_fk' })
@ForeignKey('Space', ['organizationId', 'sourceSpaceId'], ['organizationId', 'id'], { name: 'translation_source_fk' })
@Unique('translation_organization_key', ['organizationId', 'id'])
@Unique('translation_result_key', ['resultSpaceId'])
@Unique('translation_variant_key', ['organizationId', 'sourceSpaceId', 'language', 'variant'])
@Index('translation_creator_idx', ['createdBy'])
@Index('translation_organization_idx', ['organizationId', 'createdAt', 'id'])
@Index('translation_source_idx', ['sourceSpaceId', 'language'])
@Index('translation_unfinished_idx', { synchronize: false })
export class Translation {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'translation_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ name: 'source_space_id', type: 'text', collation: 'C' })
  sourceSpaceId: string;

  @Column({ name: 'source_language', type: 'text' })
  sourceLanguage: string;

  @Column({ type: 'text' })
  language: string;

  /** Empty for the only or first translation to the language. */
  @Column({ type: 'text', default: '' })
  variant: string;

  @Column({ name: 'result_space_id', type: 'text', collation: 'C' })
  resultSpaceId: string;

  @Column({ type: 'json' })
  instructions: object;

  @Column({ type: 'text' })
  slugs: string;

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'source_sequence', type: 'bigint', default: () => `'-1'` })
  sourceSequence: string;

  @Column({ type: 'boolean', default: false })
  again: boolean;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  @Column({ name: 'run_started_at', type: 'timestamptz', precision: 3, nullable: true })
  runStartedAt: Date | null;

  @Column({ name: 'run_words', type: 'bigint', default: 0 })
  runWords: string;

  @Column({ type: 'bigint', default: 0 })
  runs: string;

  /** False until a run has stored the segments: former servers store none. */
  @Column({ name: 'segments_recorded', type: 'boolean', default: false })
  segmentsRecorded: boolean;

  /** Readers are told which pages nobody has reviewed. */
  @Column({ name: 'reader_note', type: 'boolean', default: false })
  readerNote: boolean;

  /** Runs write into a change request of the space with the result. */
  @Column({ type: 'boolean', default: false })
  review: boolean;

  /** The change request that the latest of these runs has written into, until it is merged. */
  @Column({ name: 'review_request_id', type: 'text', collation: 'C', nullable: true })
  reviewRequestId: string | null;

  /** The revision of the change request as that run has written it. */
  @Column({ name: 'review_revision_id', type: 'text', collation: 'C', nullable: true })
  reviewRevisionId: string | null;

  /** The source as the change request says it. */
  @Column({ name: 'review_sequence', type: 'bigint', nullable: true })
  reviewSequence: string | null;

  @Column({ name: 'total_words', type: 'bigint', default: 0 })
  totalWords: string;

  @Column({ name: 'total_pages', type: 'bigint', default: 0 })
  totalPages: string;

  @Column({ name: 'total_duration', type: 'bigint', default: 0 })
  totalDuration: string;

  @Column({ name: 'latest_run_duration', type: 'bigint', default: 0 })
  latestRunDuration: string;

  @Column({ name: 'latest_pages', type: 'bigint', default: 0 })
  latestPages: string;

  @Column({ name: 'latest_words', type: 'bigint', default: 0 })
  latestWords: string;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;
}
