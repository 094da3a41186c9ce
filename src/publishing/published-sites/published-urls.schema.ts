import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { Flag, Free, Id, Nested, OneOf, Text, Url } from '../../kernel/common/fields.js';

class VisitorBody {
  @Text({
    optional: true,
    max: 10_000,
    description: 'A token that the site of the visitor takes',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTUzMDk5MzF9.c2ln',
  })
  jwtToken?: string;
  @Free({ optional: true, description: 'Claims that nobody signed', example: { theme: 'quiet' } })
  unsignedClaims?: Record<string, unknown>;
}

export class ResolvePublishedUrl {
  @Url({ description: 'As a visitor would open it', example: 'https://docs.example.com/acme/guides/start' })
  url: string;
  @Flag({
    optional: true,
    default: false,
    description: 'Sends a visitor whose token is not valid to the login, instead of 404',
  })
  redirectOnError?: boolean;
  @Nested(() => VisitorBody, { optional: true })
  visitor?: VisitorBody;
}

export class PublishedRedirectBody {
  @OneOf(['application', 'content', 'external'])
  target: 'application' | 'content' | 'external';
  @Id({ optional: true, description: 'The site that leads to an address outside, for target `external`' })
  site?: string;
  @Url()
  redirect: string;
}

export class PublishedSiteContentBody {
  @Id()
  site: string;
  @Id({ optional: true })
  siteSection?: string;
  @Id()
  siteSpace: string;
  @Id()
  space: string;
  @Text({ description: 'Path of the page in its space', example: '/start' })
  pathname: string;
  @Text({ description: 'Where the site space begins', example: '/acme/guides' })
  basePath: string;
  @Text({ description: 'Where the site begins', example: '/acme' })
  siteBasePath: string;
  @Text({
    description: 'Reads at the API what the visitor sees, for an hour',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoic2l0ZSJ9.c2ln',
  })
  apiToken: string;
  @Id()
  organization: string;
  @Text({ optional: true, example: 'oT6hZ9cK2mVq8RwYx4LbNd' })
  shareKey?: string;
  @Flag({ description: 'Longer paths lead to pages only, and to no other section or site space' })
  complete: boolean;
  @Text({
    optional: true,
    description: 'Changes with what is known of an authenticated visitor',
    example: '3q2-7wTlmVjQzX5yR1aBcD',
  })
  contextId?: string;
  @Url()
  canonicalUrl: string;
}

const EXAMPLE: PublishedSiteContentBody = {
  site: 'AbCdEfGh0123456789Xy',
  siteSection: 'BbCdEfGh0123456789Xy',
  siteSpace: 'CbCdEfGh0123456789Xy',
  space: 'DbCdEfGh0123456789Xy',
  pathname: '/start',
  basePath: '/acme/guides',
  siteBasePath: '/acme',
  apiToken: 'eyJhbGciOiJIUzI1NiJ9.eyJraW5kIjoic2l0ZSJ9.c2ln',
  organization: 'EbCdEfGh0123456789Xy',
  complete: true,
  canonicalUrl: 'https://docs.example.com/acme/guides/start',
};

/** The response has one of two bodies. */
export const LOOKUP = {
  content: {
    'application/json': {
      schema: {
        oneOf: [PublishedRedirectBody, PublishedSiteContentBody].map((body) => ({ $ref: getSchemaPath(body) })),
      },
      example: EXAMPLE,
    },
  },
};

export const LookupModels = () => ApiExtraModels(PublishedRedirectBody, PublishedSiteContentBody);

export type PublishedLookupBody = PublishedRedirectBody | PublishedSiteContentBody;
