import { Free, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import type { Document } from '../../formats/document/types.js';
import type { BodyFormat } from '../content/document-bodies.js';
import { REQUEST_STATUSES, type RequestStatus } from '../content/domain/request-status.js';
import { ApplyTemplate } from '../templates/templates.schema.js';

export class ChangeRequestListQuery extends PageQuery {
  @OneOf(REQUEST_STATUSES, { optional: true, default: 'open' }) status: RequestStatus = 'open';
  @Id({ optional: true, description: 'The user who made it' }) creator?: string;
  @Id({ optional: true, description: 'A user who edited it or commented on it' }) contributor?: string;
  @Id({ optional: true, description: 'A user whose review is requested' }) requestedReviewer?: string;
  @Id({ optional: true }) conversationsIssuesCluster?: string;
}

export class ChangeRequestQuery {
  @OneOf(['document', 'markdown'], {
    optional: true,
    description: '`markdown` shows the description in this form, too',
  })
  format: BodyFormat = 'document';
}

export class CreateChangeRequest {
  @Text({ optional: true, max: 100, example: 'Explain the installation' }) subject?: string;
  @Id({ optional: true, description: 'The cluster of issues of conversations that it is made for' })
  conversationsIssuesCluster?: string;
  @Nested(() => ApplyTemplate, {
    optional: true,
    description: 'The change request begins with the pages of this template',
  })
  template?: ApplyTemplate;
}

const TEXT_EXAMPLE = { object: 'text', leaves: [{ object: 'leaf', text: 'Why this is needed', marks: [] }] };
const DESCRIPTION_EXAMPLE = {
  object: 'document',
  data: {},
  nodes: [{ object: 'block', type: 'paragraph', nodes: [TEXT_EXAMPLE] }],
};

export class UpdateChangeRequest {
  @Text({ optional: true, max: 100, example: 'Explain the installation' }) subject?: string;
  @Free({ optional: true, description: 'A document, or `{"markdown": …}`', example: DESCRIPTION_EXAMPLE })
  description?: Document | { readonly markdown: string };
  @Id({
    optional: true,
    nullable: true,
    description: 'The cluster of issues of conversations that it is made for; null for none',
  })
  conversationsIssuesCluster?: string | null;
  @OneOf(['draft', 'open', 'archived'], { optional: true }) status?: 'draft' | 'open' | 'archived';
}
