import { queryOptions } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../api/client.js';

export type SpaceHit = Schemas['SpaceHit'];
export type SearchHit = Schemas['SearchHit'];

/** The header that puts translations in the language of the reader first. */
const LANGUAGE = { 'accept-language': navigator.languages.join(',') };

/** One page of what a search of the organization finds, by space. */
export const searchPage = (organizationId: string, query: string, page?: string, limit?: number) =>
  answered(
    api.GET('/v1/orgs/{organizationId}/search', {
      params: { path: { organizationId }, query: { query, page, limit }, header: LANGUAGE },
    }),
  );

/** The first spaces with their best pages. */
export const searchQuery = (organizationId: string, query: string, limit: number) =>
  queryOptions({
    queryKey: ['search', organizationId, query, limit],
    queryFn: () => searchPage(organizationId, query, undefined, limit),
  });
