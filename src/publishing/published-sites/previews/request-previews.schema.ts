import { Id, Nested, ObjectName, Text, Timestamp, Url } from '../../../kernel/common/fields.js';
import { PreviewQuery } from '../publishing-auth.schema.js';

export class RequestPreviewQuery extends PreviewQuery {
  @Id({
    optional: true,
    description: 'A site that holds the space; when omitted the first of `sites` that shows it',
  })
  site?: string;
  @Id({ optional: true, description: 'The page of the change request to begin with' })
  page?: string;
}

class PreviewSite {
  @Id()
  id: string;
  @Text({ example: 'Acme documentation' })
  title: string;
}

export class RequestPreviewBody {
  @ObjectName('change-request-preview')
  object: 'change-request-preview';
  @Url({
    description: 'On the origin of published sites, for the browser of the caller',
    example: 'https://docs.example.com/~preview/AVbc25X58NqoOQpruoLs/AVbc2553A8IdNrfod3tN?token=eyJhbGciOiJIUzI1NiJ9',
  })
  url: string;
  @Timestamp()
  expiresAt: string;
  @Nested(() => PreviewSite, {
    list: true,
    description: 'The sites that hold the space and that the caller may see, published ones first; at most 50',
  })
  sites: PreviewSite[];
}
