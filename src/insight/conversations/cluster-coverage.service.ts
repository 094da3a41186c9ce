import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import type { ChangeRequestRow } from '../../authoring/change-requests/change-request.schema.js';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { REQUEST_STATUSES } from '../../authoring/content/domain/request-status.js';
import { OrganizationSearch } from '../../authoring/search/organization-search.service.js';
import type { RankedHit } from '../../authoring/search/ranked-hits.js';
import { Clusters } from './clusters.service.js';
import { Decisions } from './decisions.service.js';
import type { ClusterRow } from './issues.schema.js';

/** The share of the weight of a question that a page covers if it answers it; the measure is that of answers. */
const ANSWERS = 0.5;
/** Pages that cover less of every question are not named. */
const NEAR = 0.3;
const QUESTIONS = 6;
const PAGES = 10;
const QUERY = 512;
const EACH_STATUS = 5;

/** An issue of a cluster, redacted as its conversation is. */
interface IssueTexts {
  readonly title: string;
  readonly summary: string;
}

/** A page and what it says to the questions of a cluster. */
export interface CoveringPage {
  readonly hit: RankedHit;
  /** Questions of which it covers enough to answer them. */
  readonly answers: number;
  /** The largest share of a question that it covers, 0 to 1. */
  readonly coverage: number;
}

export const COVERAGES = ['answered', 'partly', 'unanswered'] as const;
export const CLUSTER_STATES = ['open', 'proposed', 'resolved'] as const;

/** The pages that answer a cluster, and the change requests that are made for it. */
export interface ClusterCoverage {
  readonly cluster: ClusterRow;
  readonly issues: readonly IssueTexts[];
  readonly questions: number;
  readonly coverage: (typeof COVERAGES)[number];
  readonly pages: readonly CoveringPage[];
  readonly state: (typeof CLUSTER_STATES)[number];
  readonly requests: readonly ChangeRequestRow[];
}

/** Compares clusters of issues with the pages that should have answered them. */
@Injectable()
export class ClusterCoverages {
  constructor(
    private readonly database: Database,
    private readonly clusters: Clusters,
    private readonly search: OrganizationSearch,
    private readonly requests: ChangeRequests,
    private readonly decisions: Decisions,
  ) {}

  /** The pages that the caller can read are compared, and their change requests are named. */
  async of(caller: Caller, organization: OrganizationAccess, clusterId: string): Promise<ClusterCoverage> {
    const cluster = await this.clusters.get(organization.id, clusterId);
    const issues = await this.database.query<{ title: string; summary: string; ingestedAt: Date }>(
      `SELECT i.title, i.summary, i.ingested_at AS "ingestedAt" FROM conversation_issue i
         JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
        WHERE i.organization_id = $1 AND i.cluster_id = $2 ORDER BY i.created_at DESC, i.id DESC LIMIT 30`,
      [organization.id, clusterId],
    );
    const questions = [...new Set([cluster.label, ...issues.map(({ title }) => title)])].slice(0, QUESTIONS);
    const pages = await this.pages(caller.userId, organization, questions);
    const { mergedInto } = await this.decisions.effectIn(organization.id);
    const parts = [...mergedInto].flatMap(([part, whole]) => (whole === clusterId ? [part] : []));
    const requests = await this.requestsOf(caller, organization.id, [clusterId, ...parts]);
    const latest = Math.max(0, ...issues.map(({ ingestedAt }) => ingestedAt.getTime()));
    return {
      cluster,
      issues,
      questions: questions.length,
      coverage: coverageOf(pages, questions.length),
      pages,
      state: stateOf(requests, latest),
      requests,
    };
  }

  private async pages(
    userId: string,
    organization: OrganizationAccess,
    questions: readonly string[],
  ): Promise<CoveringPage[]> {
    const found = new Map<string, CoveringPage>();
    for (const question of questions) {
      for (const hit of await this.search.ranked(userId, organization, question.slice(0, QUERY))) {
        if (hit.coverage < NEAR) continue;
        const key = `${hit.space} ${hit.page.id}`;
        const { answers, coverage, hit: first } = found.get(key) ?? { answers: 0, coverage: 0, hit };
        found.set(key, {
          hit: hit.coverage > coverage ? hit : first,
          answers: answers + (hit.coverage >= ANSWERS ? 1 : 0),
          coverage: Math.max(coverage, hit.coverage),
        });
      }
    }
    return [...found.values()]
      .sort((one, other) => other.answers - one.answers || other.coverage - one.coverage)
      .slice(0, PAGES);
  }

  /** The change requests of a cluster and of those that were merged into it. */
  private async requestsOf(
    caller: Caller,
    organizationId: string,
    clusters: readonly string[],
  ): Promise<ChangeRequestRow[]> {
    const pages = await Promise.all(
      REQUEST_STATUSES.map((status) =>
        this.requests.listInOrganization(caller, organizationId, {
          status,
          conversationsIssuesCluster: clusters,
          limit: EACH_STATUS,
        }),
      ),
    );
    return pages
      .flatMap(({ items }) => items)
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }
}

function coverageOf(pages: readonly CoveringPage[], questions: number): ClusterCoverage['coverage'] {
  const best = Math.max(0, ...pages.map(({ answers }) => answers));
  if (best * 2 >= questions) return 'answered';
  return pages.length > 0 ? 'partly' : 'unanswered';
}

/** A merge resolves the issues that came before it; later ones open the cluster again. */
function stateOf(requests: readonly ChangeRequestRow[], latestIssue: number): ClusterCoverage['state'] {
  if (requests.some(({ status }) => status === 'draft' || status === 'open')) return 'proposed';
  const merged = requests.filter(({ status }) => status === 'merged').map(({ updatedAt }) => updatedAt.getTime());
  return merged.length > 0 && Math.max(...merged) >= latestIssue ? 'resolved' : 'open';
}
