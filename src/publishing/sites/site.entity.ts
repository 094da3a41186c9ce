import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A published site. */
@OrganizationTable()
@Entity('site')
@Check('site_unanswered_questions_check', `(unanswered_questions = ANY (ARRAY['discarded'::text, 'recorded'::text]))`)
@ForeignKey('User', ['createdBy'], ['id'], { name: 'site_creator_fk' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'site_organization_fk' })
@Unique('site_organization_id_key', ['organizationId', 'id'])
@Index('site_basename_key', { synchronize: false })
@Index('site_by_hostname_idx', { synchronize: false })
@Index('site_hostname_key', { synchronize: false })
@Index('site_organization_idx', ['organizationId', 'createdAt', 'id'])
@Index('site_proxy_key', { synchronize: false })
@Index('site_public_idx', { synchronize: false })
export class Site {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'site_pkey' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text', default: 'basic' })
  type: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  basename: string;

  @Column({ type: 'text', nullable: true })
  hostname: string | null;

  @Column({ type: 'text', nullable: true })
  proxy: string | null;

  @Column({ type: 'text', default: 'public' })
  visibility: string;

  @Column({ type: 'boolean', default: false })
  published: boolean;

  @Column({ name: 'adaptive_content', type: 'boolean', default: false })
  adaptiveContent: boolean;

  @Column({ name: 'agents_context', type: 'text', default: 'included' })
  agentsContext: string;

  @Column({ name: 'unanswered_questions', type: 'text', default: 'discarded' })
  unansweredQuestions: string;

  @Column({ name: 'ip_allow_list', type: 'cidr', array: true, default: () => "'{}'" })
  ipAllowList: string[];

  @Column({ name: 'default_section_id', type: 'text', collation: 'C', nullable: true })
  defaultSectionId: string | null;

  @Column({ name: 'default_site_space_id', type: 'text', collation: 'C', nullable: true })
  defaultSiteSpaceId: string | null;

  @Column({ type: 'jsonb' })
  customization: object;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'bigint', default: 0 })
  stamp: string;
}
