import type { Addresses } from '../../kernel/common/addresses.js';
import type { Viewer } from '../../kernel/access/access.service.js';
import { Amount, Id, Nested, ObjectName, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { ChangeRequestBody, presentChangeRequest } from '../../authoring/change-requests/change-request.schema.js';
import { CLUSTER_STATES, COVERAGES, type ClusterCoverage } from './cluster-coverage.service.js';

class CoveringPageUrls {
  @Url() app: string;
}

class CoveringPageBody {
  @Id() page: string;
  @Id() space: string;
  @Text({ example: 'Export a space' }) title: string;
  @Text({ list: true, description: 'Headings of the sections that are nearest', example: ['As a PDF'] })
  sections: string[];
  @Amount({ min: 0, description: 'Questions of the cluster that it covers', example: 2 }) answers: number;
  @Amount({ min: 0, max: 1, fractional: true, description: 'The most that it covers of a question', example: 0.82 })
  coverage: number;
  @Nested(() => CoveringPageUrls) urls: CoveringPageUrls;
}

export class ClusterCoverageBody {
  @ObjectName('issues-cluster-coverage') object: 'issues-cluster-coverage';
  @Id() cluster: string;
  @OneOf(CLUSTER_STATES, {
    description:
      '`open`; `proposed` while a change request for it is a draft or open; `resolved` by a merge, until another issue comes',
  })
  state: (typeof CLUSTER_STATES)[number];
  @OneOf(COVERAGES, {
    description:
      '`answered` if one page covers at least half of the questions, `partly` if pages are near, `unanswered` if none is',
  })
  coverage: (typeof COVERAGES)[number];
  @Amount({ min: 0, description: 'Questions that were compared: the label and the latest issues', example: 6 })
  questions: number;
  @Nested(() => CoveringPageBody, { list: true, description: 'The nearest pages that the caller can read, best first' })
  pages: CoveringPageBody[];
  @Nested(() => ChangeRequestBody, {
    list: true,
    example: [],
    description: 'Change requests for the cluster in spaces that the caller can read, newest first',
  })
  changeRequests: ChangeRequestBody[];
}

export class DraftClusterChangeRequest {
  @Id({ optional: true, description: 'The space to change; that of the nearest page when omitted' }) space?: string;
}

export function presentCoverage(
  { cluster, state, coverage, questions, pages, requests }: ClusterCoverage,
  viewer: Viewer,
  addresses: Addresses,
): ClusterCoverageBody {
  return {
    object: 'issues-cluster-coverage',
    cluster: cluster.id,
    state,
    coverage,
    questions,
    pages: pages.map(({ hit, answers, coverage: share }) => ({
      page: hit.page.id,
      space: hit.space,
      title: hit.page.title,
      sections: hit.page.sections.map(({ title }) => title).filter((title) => title !== ''),
      answers,
      coverage: Math.min(1, share),
      urls: { app: hit.page.urls.app },
    })),
    changeRequests: requests.map((row) => presentChangeRequest(row, viewer, addresses)),
  };
}
