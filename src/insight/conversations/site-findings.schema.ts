import { IntersectionType } from '@nestjs/swagger';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { document as documentOf, paragraph, plain } from '../../formats/document/build.js';
import type { SiteOf } from './domain/site-question.js';

const FINDING_STATUSES = ['open', 'done', 'canceled'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];
export const FINDING_SEVERITIES = ['low', 'medium', 'high'] as const;
type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export interface FindingFilters {
  readonly status?: FindingStatus;
  readonly severity?: FindingSeverity;
  readonly hasChangeRequests?: boolean;
}

export class FindingStatsQuery implements FindingFilters {
  @OneOf(FINDING_STATUSES, { optional: true, description: 'Only findings with this status' }) status?: FindingStatus;
  @OneOf(FINDING_SEVERITIES, { optional: true, description: 'Only findings of this severity' })
  severity?: FindingSeverity;
  @Flag({ optional: true, query: true, description: 'Only findings with, or only those without change requests' })
  hasChangeRequests?: boolean;
}

export class FindingsQuery extends IntersectionType(PageQuery, FindingStatsQuery) {
  @Text({ optional: true, max: 64, description: 'Only findings with this question', example: '0123456789abcdef' })
  question?: string;
}

export class UpdateFinding {
  @OneOf(FINDING_STATUSES, { description: 'Holds until another question comes, or a change request is merged' })
  status: FindingStatus;
}

class FindingUrls {
  @Url() location: string;
}

export class SiteFindingBody {
  @ObjectName('site-finding') object: 'site-finding';
  @Id() id: string;
  @Id({ description: 'The cluster of issues; findings are not made by scans' }) scan: string;
  @Id({ description: 'The cluster of issues: what it is about' }) topic: string;
  @Text({ example: 'Painting' }) title: string;
  @Amount({ min: 0, example: 1 }) changeRequests: number;
  @Amount({ min: 0, description: 'Pages that are linked; none are', example: 0 }) pages: number;
  @Amount({ min: 0, description: 'Other conversations of customers about it', example: 2 }) records: number;
  @Amount({ min: 0, example: 3 }) questions: number;
  @OneOf(FINDING_STATUSES, {
    description:
      '`done` by a merge of a change request for it or by a person, `canceled` by a person; another question opens it again',
  })
  status: FindingStatus;
  @OneOf(['content-gap']) type: 'content-gap';
  @OneOf(FINDING_SEVERITIES, { description: 'By the number of questions: medium from 3 on, high from 10 on' })
  severity: FindingSeverity;
  @Free({ description: 'The summary of the cluster', example: { object: 'document', data: {}, nodes: [] } })
  description: object;
  @Flag({ description: 'A change request can be drafted for it' }) autoFixable: boolean;
  @Timestamp() createdAt: string;
  @Timestamp() updatedAt: string;
  @Nested(() => FindingUrls) urls: FindingUrls;
}

class FindingStatuses {
  @Amount({ min: 0, example: 2 }) open: number;
  @Amount({ min: 0, example: 1 }) done: number;
  @Amount({ min: 0, example: 0 }) canceled: number;
}

class FindingSeverities {
  @Amount({ min: 0, example: 2 }) low: number;
  @Amount({ min: 0, example: 1 }) medium: number;
  @Amount({ min: 0, example: 0 }) high: number;
}

export class SiteFindingStatsBody {
  @Amount({ min: 0, example: 3 }) total: number;
  @Nested(() => FindingStatuses) statuses: FindingStatuses;
  @Nested(() => FindingSeverities) severities: FindingSeverities;
  @Free({
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    description: 'Empty: there are no connectors',
    example: {},
  })
  connectors: Record<string, number>;
  @Amount({ min: 0, description: 'Findings with questions: all', example: 3 }) questions: number;
  @Amount({ min: 0, example: 1 }) mergedChangeRequests: number;
}

/** A cluster with questions of a site. */
export interface SiteFindingRow {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
  readonly questions: number;
  readonly records: number;
  readonly requests: number;
  readonly status: FindingStatus;
  readonly severity: FindingSeverity;
}

export type SiteFindingStatsRow = Readonly<Record<'total' | 'merged' | FindingStatus | FindingSeverity, number>>;

export function presentFinding(row: SiteFindingRow, site: SiteOf, addresses: Addresses): SiteFindingBody {
  const { id, title, summary, createdAt, updatedAt, version, questions, records, requests, status, severity } = row;
  return versioned(
    {
      object: 'site-finding',
      id,
      scan: id,
      topic: id,
      title,
      changeRequests: requests,
      pages: 0,
      records,
      questions,
      status,
      type: 'content-gap',
      severity,
      description: documentOf([paragraph(plain(summary))]),
      autoFixable: true,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      urls: { location: addresses.location(`/orgs/${site.organizationId}/sites/${site.id}/findings/${id}`) },
    },
    version,
  );
}

export function presentFindingStats(row: SiteFindingStatsRow): SiteFindingStatsBody {
  const { total, merged, open, done, canceled, low, medium, high } = row;
  return {
    total,
    statuses: { open, done, canceled },
    severities: { low, medium, high },
    connectors: {},
    questions: total,
    mergedChangeRequests: merged,
  };
}
