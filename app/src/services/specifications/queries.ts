import { queryOptions } from '@tanstack/react-query';
import { get, queries, send, type Schemas } from '../../api/client.js';
import { POLL_EVERY } from '../polling.js';

export type Specification = Schemas['OpenApiSpecBody'];
export type SpecificationPlace = Readonly<{ organizationId: string; specSlug: string }>;
export type SpecificationSource = Schemas['OpenApiSource'];

export const SPECIFICATION = '/v1/orgs/{organizationId}/openapi/{specSlug}';

/** The beginning of the keys of all that is read about the specifications of an organization. */
export const specificationsKey = (organizationId: string) => ['specifications', organizationId] as const;

export const specificationKey = ({ organizationId, specSlug }: SpecificationPlace) =>
  [...specificationsKey(organizationId), 'one', specSlug] as const;

export const specificationQuery = (place: SpecificationPlace) =>
  queryOptions({
    queryKey: [...specificationKey(place), 'specification'],
    queryFn: () => get(SPECIFICATION, place),
    refetchInterval: ({ state }) => (state.data && state.data.processingState !== 'complete' ? POLL_EVERY : false),
  });

/** The latest version as a value; its text may have 20 MB. */
export const latestVersionQuery = (place: SpecificationPlace, version: string) =>
  queryOptions({
    queryKey: ['specification-version', place.organizationId, place.specSlug, version],
    staleTime: Infinity,
    queryFn: async () => JSON.parse((await get(`${SPECIFICATION}/versions/latest/content/raw`, place)).text) as unknown,
  });

const HOUR = 3_600_000;

/** The text that this tab gave a specification as its source: the interface does not give it back while it has faults. */
export const givenTextQuery = ({ organizationId, specSlug }: SpecificationPlace) =>
  queryOptions<string | null>({
    queryKey: ['specification-text', organizationId, specSlug],
    staleTime: Infinity,
    gcTime: HOUR,
    queryFn: () => null,
  });

/** Gives a specification its source, or makes it. */
export async function giveSource(place: SpecificationPlace, source: SpecificationSource): Promise<void> {
  await send('put', SPECIFICATION, place, { source });
  queries.setQueryData(givenTextQuery(place).queryKey, source.text ?? null);
  await queries.invalidateQueries({ queryKey: specificationsKey(place.organizationId) });
}
