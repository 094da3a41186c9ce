import { checkedList } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { isReturnUrl } from './return-url.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { SSO_CONTRIBUTIONS } from './sso.contributions.js';

export const sso = defineModule({
  name: 'sso',
  migrations: migrationsOf('sso'),
  settings: {
    ssoReturnUrls: checkedList(
      isReturnUrl,
      'must be a comma-separated list of addresses such as https://app.example.com/login, by https (by http only to localhost, 127.0.0.1 and [::1], for applications on the machine of the browser), without name, password or part after #',
    )
      .default([])
      .describe(
        'Addresses of applications that single sign-on may return to with a code: comma-separated, by https or on the machine of the browser, each with its path; queries are free',
      ),
  },
  events: {
    saml_provider_created: organization('samlProvider', 'An identity provider was added', { audit: true }),
    saml_provider_updated: organization('samlProvider', 'An identity provider was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    saml_provider_deleted: organization(
      'samlProvider',
      'An identity provider was removed, with the tokens of its logins',
      { audit: true, facts: { endedTokens: 'number' } },
    ),
    oidc_provider_created: organization('oidcProvider', 'An OpenID Connect provider was added', { audit: true }),
    oidc_provider_updated: organization('oidcProvider', 'An OpenID Connect provider was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    oidc_provider_deleted: organization(
      'oidcProvider',
      'An OpenID Connect provider was removed, with the tokens of its logins',
      { audit: true, facts: { endedTokens: 'number' } },
    ),
    member_signed_in: organization('user', 'A member logged in through an identity provider', {
      audit: true,
      facts: { samlProviderId: 'id?', oidcProviderId: 'id?' },
    }),
    login_refused: organization('organization', 'A login through an identity provider was refused', {
      audit: true,
      facts: { reason: 'text', verified: 'flag', userId: 'id?', samlProviderId: 'id?', oidcProviderId: 'id?' },
    }),
  },
  targets: {
    samlProvider: { label: null },
    oidcProvider: { label: null },
  },
  jobs: {
    'sso.remove-expired-tests': job({ everySeconds: 600 }),
  },
  contributes: SSO_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    sso: typeof sso;
  }
}
