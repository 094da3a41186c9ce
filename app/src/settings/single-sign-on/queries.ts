import { queryOptions } from '@tanstack/react-query';
import { get, getTagged, type Schemas } from '../../api/client.js';

export type Provider = Schemas['SamlProviderBody'];
export type LoginTest = Schemas['SamlLoginTestBody'];
export type ProviderPlace = Readonly<{ organizationId: string; samlProviderId: string }>;

export const PROVIDERS = '/v1/orgs/{organizationId}/saml';
export const PROVIDER = `${PROVIDERS}/{samlProviderId}` as const;
export const TESTS = `${PROVIDER}/tests` as const;

/** The beginning of the keys of all that is read about the identity providers of an organization. */
export const providersKey = (organizationId: string) => ['sso', organizationId] as const;

const providerKey = ({ organizationId, samlProviderId }: ProviderPlace) =>
  [...providersKey(organizationId), 'one', samlProviderId] as const;

/** A provider with the ETag of what was read. */
export const providerQuery = (place: ProviderPlace) =>
  queryOptions({ queryKey: [...providerKey(place), 'provider'], queryFn: () => getTagged(PROVIDER, place) });

/** A test login of the reader. */
export const testQuery = (place: ProviderPlace, samlLoginTestId: string) =>
  queryOptions({
    queryKey: [...providerKey(place), 'test', samlLoginTestId],
    queryFn: () => get(`${TESTS}/{samlLoginTestId}`, { ...place, samlLoginTestId }),
  });
