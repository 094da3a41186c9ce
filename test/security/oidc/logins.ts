import { expect } from '@jest/globals';
import type { Workspace } from '../../build.js';
import type { OidcIdentityProvider } from './identity-provider.js';

export interface OidcProvider {
  id: string;
  status: string;
  issuer?: string;
  clientID?: string;
  scopes: string[];
  service: { redirectURL: string; startURL: string };
  urls: { location: string };
}

/** A provider that is set up on both sides. */
export async function addOidcProvider(
  { id, admin }: Workspace,
  at: OidcIdentityProvider,
  more: object = {},
): Promise<OidcProvider> {
  const made = await admin.api.post<OidcProvider>(`/orgs/${id}/oidc`, { label: 'Identity', issuer: at.url, ...more });
  const changed = await admin.api.patch<OidcProvider>(
    `/orgs/${id}/oidc/${made.body.id}`,
    at.register(made.body.service.redirectURL),
  );
  expect([made.status, changed.status]).toEqual([201, 200]);
  return changed.body;
}
