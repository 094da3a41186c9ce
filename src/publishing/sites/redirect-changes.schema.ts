import { Flag, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import { DESTINATION, CAPTURE, PERMANENT, RedirectInputDestination, SOURCE } from './redirects.schema.js';

/** Maximum number of redirects that one request changes. */
export const MAX_CHANGED = 500;

const INTENTS = ['live', 'draft', 'publish'] as const;

/** One change of a list: a redirect to be there, or to be removed, or a draft to become live. */
export class RedirectChange {
  @Text(SOURCE)
  source: string;
  @OneOf(INTENTS, {
    optional: true,
    default: 'live',
    description:
      'The live redirect of the source, or its draft; `publish` puts the draft in the place of the live one, and takes no other fields',
  })
  intent?: (typeof INTENTS)[number];
  @Flag({ ...CAPTURE, optional: true, default: false })
  captureWildcard?: boolean;
  @Flag({ ...PERMANENT, optional: true, example: false })
  permanent?: boolean;
  @Nested(() => RedirectInputDestination, {
    ...DESTINATION,
    optional: true,
    nullable: true,
    description: 'Required unless a draft is published. Null removes the redirect',
  })
  destination?: RedirectInputDestination | null;
}

export class ChangeRedirects {
  @Nested(() => RedirectChange, { list: true, minItems: 1, maxItems: MAX_CHANGED })
  redirects: RedirectChange[];
}

const STATUSES = ['created', 'updated', 'deleted', 'published', 'error'] as const;

/** The result of one change. */
export class RedirectChangeResult {
  @OneOf(STATUSES)
  status: (typeof STATUSES)[number];
  @Text(SOURCE)
  source: string;
  @Flag({ description: 'The redirect is, or was, a draft', example: false })
  draft: boolean;
  @Id({ optional: true, description: 'The redirect, unless it was removed or there is an error' })
  id?: string;
  @Text({ optional: true, description: 'The reason why nothing was changed', example: 'source: has no draft' })
  error?: string;
}

/** The result of each change, in order. */
export class RedirectChangesBody {
  @Nested(() => RedirectChangeResult, { list: true, maxItems: MAX_CHANGED })
  results: RedirectChangeResult[];
}
