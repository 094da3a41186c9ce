import { Id, ObjectName, OneOf, Text, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';

export class PublishingAuthBody {
  @ObjectName('publishing-auth')
  object: 'publishing-auth';
  @OneOf(['custom'])
  backend: 'custom';
  @Text({ description: 'The secret that the tokens of visitors are signed with (HS256)', example: '3Gk9…' })
  privateKey: string;
  @Url({
    optional: true,
    description: 'Where visitors without a valid token are sent, with the path that they wanted as `location`',
    example: 'https://app.example.com/login',
  })
  fallbackURL?: string;
}

export class UpdatePublishingAuth {
  @OneOf(['custom'], { description: 'Visitors log in at a service of your own; there are no integrations here' })
  backend: 'custom';
  @Url({
    optional: true,
    nullable: true,
    description: 'Null removes it. It cannot have a parameter `location`',
    example: 'https://app.example.com/login',
  })
  fallbackURL?: string | null;
}

/** A row of `site_publishing_auth` with its decrypted key. */
export interface PublishingAuth {
  readonly key: string;
  readonly generation: number;
  readonly fallbackUrl: string | null;
  readonly version: number;
}

export function presentPublishingAuth({ key, fallbackUrl, version }: PublishingAuth): PublishingAuthBody {
  return versioned(
    {
      object: 'publishing-auth',
      backend: 'custom',
      privateKey: key,
      ...(fallbackUrl !== null && { fallbackURL: fallbackUrl }),
    },
    version,
  );
}

export class ClaimsQuery {
  @Text({
    optional: true,
    max: 2000,
    description: 'Claims as Rison or JSON, those that visitors can set themselves under `unsigned`',
    example: '(isBetaUser:!t,unsigned:(theme:quiet))',
  })
  claims?: string;
}

export class PreviewQuery extends ClaimsQuery {
  @Id({ optional: true, description: 'The site space to begin with; the default when omitted' })
  siteSpace?: string;
}

export class PreviewBody {
  @Url({ description: 'Valid for an hour', example: 'https://docs.example.com/acme?jwt_token=eyJhbGciOiJIUzI1NiJ9' })
  url: string;
}
