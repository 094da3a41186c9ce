import { Column, Entity, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';
import type { MergeRules } from './domain/merge-rules.js';

@OrganizationTable('id')
@Entity('organization')
@Index('organization_hostname_key', ['hostname'], { unique: true })
export class Organization {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'organization_pkey' })
  id: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ name: 'email_domains', type: 'text', array: true, default: () => "'{}'" })
  emailDomains: string[];

  @Column({ type: 'text', nullable: true })
  hostname: string | null;

  @Column({ type: 'text', default: 'business' })
  type: string;

  @Column({ name: 'use_case', type: 'text', nullable: true })
  useCase: string | null;

  @Column({ name: 'community_type', type: 'text', nullable: true })
  communityType: string | null;

  @Column({ name: 'default_role', type: 'enum', enum: ACCESS_LEVELS, enumName: 'access_level', default: 'none' })
  defaultRole: AccessLevel;

  @Column({ type: 'boolean', default: false })
  sso: boolean;

  @Column({ type: 'boolean', default: false })
  ai: boolean;

  @Column({ name: 'invite_links', type: 'boolean', default: true })
  inviteLinks: boolean;

  @Column({ name: 'merge_rules', type: 'jsonb', default: () => `'{"type": "none"}'` })
  mergeRules: MergeRules;

  @Column({ type: 'text', nullable: true })
  logo: string | null;

  @Column({ name: 'ip_allow_list', type: 'cidr', array: true, default: () => "'{}'" })
  ipAllowList: string[];

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
