import type { Protocol, Provider } from './queries.js';

/** The service shows this in the place of an address that is not given yet. */
const NO_ADDRESS = 'about:blank';

export type TextName = 'entityID' | 'ssoURL' | 'certificate' | 'issuer' | 'clientID' | 'clientSecret';
export type ListName = 'scopes' | 'emailDomains';

/** The settings of each protocol without which nobody can log in. */
export const TEXT_NAMES: Readonly<Record<Protocol, readonly TextName[]>> = {
  saml: ['entityID', 'ssoURL', 'certificate'],
  oidc: ['issuer', 'clientID', 'clientSecret'],
};
export const LIST_NAMES: Readonly<Record<Protocol, readonly ListName[]>> = {
  saml: [],
  oidc: ['scopes', 'emailDomains'],
};
/** Items that the interface takes. */
export const MOST_ITEMS: Readonly<Record<ListName, number>> = { scopes: 20, emailDomains: 100 };

/** The texts of a provider as fields show them: a secret is never shown. */
export function textsOf(provider: Provider | undefined): Readonly<Record<TextName, string>> {
  const saml = provider?.object === 'saml-provider' ? provider : undefined;
  const oidc = provider?.object === 'oidc-provider' ? provider : undefined;
  return {
    entityID: saml?.entityID ?? '',
    ssoURL: saml === undefined || saml.ssoURL === NO_ADDRESS ? '' : saml.ssoURL,
    certificate: saml?.certificate ?? '',
    issuer: oidc?.issuer ?? '',
    clientID: oidc?.clientID ?? '',
    clientSecret: '',
  };
}

export function listsOf(provider: Provider | undefined): Readonly<Record<ListName, readonly string[]>> {
  const oidc = provider?.object === 'oidc-provider' ? provider : undefined;
  return { scopes: oidc?.scopes ?? ['openid', 'email', 'profile'], emailDomains: oidc?.emailDomains ?? [] };
}

/** The settings that are still to be given before anybody can log in. */
export function missingIn(provider: Provider): TextName[] {
  const texts = textsOf(provider);
  const [protocol, hasSecret] =
    provider.object === 'saml-provider' ? (['saml', false] as const) : (['oidc', provider.hasClientSecret] as const);
  return TEXT_NAMES[protocol].filter((name) => texts[name] === '' && !(name === 'clientSecret' && hasSecret));
}
