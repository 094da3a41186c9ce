import { queryOptions } from '@tanstack/react-query';
import { get, getTagged, readAll, type Schemas } from '../../api/client.js';

export const PROTOCOLS = ['saml', 'oidc'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
export type Provider = Schemas['SamlProviderBody'] | Schemas['OidcProviderBody'];
export type LoginTest = Schemas['SamlLoginTestBody'] | Schemas['OidcLoginTestBody'];
export type ProviderPlace = Readonly<{ organizationId: string; protocol: Protocol; providerId: string }>;

/** The addresses of the interface; both protocols have the same ones, under their names. */
export const PATHS = {
  saml: {
    providers: '/v1/orgs/{organizationId}/saml',
    provider: '/v1/orgs/{organizationId}/saml/{samlProviderId}',
    tests: '/v1/orgs/{organizationId}/saml/{samlProviderId}/tests',
    test: '/v1/orgs/{organizationId}/saml/{samlProviderId}/tests/{samlLoginTestId}',
  },
  oidc: {
    providers: '/v1/orgs/{organizationId}/oidc',
    provider: '/v1/orgs/{organizationId}/oidc/{oidcProviderId}',
    tests: '/v1/orgs/{organizationId}/oidc/{oidcProviderId}/tests',
    test: '/v1/orgs/{organizationId}/oidc/{oidcProviderId}/tests/{oidcLoginTestId}',
  },
} as const;

/** A provider as the parameters of the interface name it; an address takes the one that it has. */
export const named = ({ organizationId, providerId }: ProviderPlace) => ({
  organizationId,
  samlProviderId: providerId,
  oidcProviderId: providerId,
});

export const isProtocol = (name: string): name is Protocol => PROTOCOLS.some((protocol) => protocol === name);

export const protocolOf = ({ object }: Provider): Protocol => (object === 'saml-provider' ? 'saml' : 'oidc');

/** The beginning of the keys of all that is read about the identity providers of an organization. */
export const providersKey = (organizationId: string) => ['sso', organizationId] as const;

const providerKey = ({ organizationId, providerId }: ProviderPlace) =>
  [...providersKey(organizationId), 'one', providerId] as const;

/** The providers of an organization by all protocols, latest first; there are few. */
export async function readProviders(organizationId: string): Promise<{ readonly items: Provider[] }> {
  const lists = await Promise.all(
    PROTOCOLS.map((protocol) =>
      readAll<Provider>((page) => get(PATHS[protocol].providers, { organizationId }, { page })),
    ),
  );
  return { items: lists.flat().sort((one, other) => other.createdAt.localeCompare(one.createdAt)) };
}

/** A provider with the ETag of what was read. */
export const providerQuery = (place: ProviderPlace) =>
  queryOptions({
    queryKey: [...providerKey(place), 'provider'],
    queryFn: (): Promise<Readonly<{ body: Provider; etag: string }>> =>
      getTagged(PATHS[place.protocol].provider, named(place)),
  });

/** A test login of the reader. */
export const testQuery = (place: ProviderPlace, testId: string) =>
  queryOptions({
    queryKey: [...providerKey(place), 'test', testId],
    queryFn: (): Promise<LoginTest> =>
      get(PATHS[place.protocol].test, { ...named(place), samlLoginTestId: testId, oidcLoginTestId: testId }),
  });
