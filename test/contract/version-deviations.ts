import { addProperty, makeOptional, schemaOf, type Deviation } from './deviation.js';
import type { Version } from './documents.js';
import type { OpenApiDocument } from './json-schema.js';

const CANCEL = '/org/{organizationId}/imports/{importRunId}/cancel';

function cancelledRuns({ paths }: OpenApiDocument): void {
  const responses = paths[CANCEL]?.['post']?.responses;
  if (!responses?.['200']) throw new Error('The operation that cancels a run answers no 200');
  responses['201'] = responses['200'];
}

function repositoriesWithoutInstallation(document: OpenApiDocument): void {
  const state = schemaOf(document, 'GitSyncState');
  for (const name of ['installationId', 'installationProvider', 'installationStatus']) makeOptional(state, name);
}

/** Providers other than GitHub and GitLab, and what helps to set a repository up without an application of the provider. */
export function installationsOfAnyServer(document: OpenApiDocument): void {
  const others = ['gitea', 'bitbucket', 'git'];
  schemaOf(document, 'GitSyncInstallationProvider').enum?.push(...others);
  schemaOf(document, 'GitSyncInstallationSetupGitHub').properties?.['provider']?.enum?.push(...others);
  for (const name of ['GitSyncInstallationSetupGitHub', 'GitSyncInstallationSetupGitLab']) {
    const configuration = schemaOf(document, name).properties?.['providerConfiguration'];
    if (!configuration) throw new Error(`${name} has no configuration`);
    for (const own of ['url', 'deployKey', 'hostKey', 'customInstanceURL'])
      addProperty(configuration, own, { type: 'string' });
  }
  const configuration = schemaOf(document, 'GitSyncInstallationSetupGitHub').properties?.['providerConfiguration'];
  const app = { appId: { type: 'number' }, installationId: { type: 'number' } };
  if (configuration) addProperty(configuration, 'app', { type: 'object', properties: app });
  const setup = schemaOf(document, 'GitSyncInstallationSetup').allOf?.[1];
  delete setup?.['discriminator'];
  const [, installation] = schemaOf(document, 'GitSyncInstallation').allOf ?? [];
  if (!installation) throw new Error('An installation has no fields');
  addProperty(installation, 'hook', {
    type: 'object',
    properties: { url: { type: 'string' }, secret: { type: 'string' } },
    required: ['url'],
  });
  addProperty(installation, 'squash', { type: 'boolean' });
  for (const name of ['error', 'changeRequest', 'nextSyncAt']) addProperty(installation, name, { type: 'string' });
}

function buttonsInTwoParts(document: OpenApiDocument): void {
  const [, target] = schemaOf(document, 'DocumentInlineButton').properties?.['data']?.allOf ?? [];
  if (!target?.oneOf) throw new Error('A button has no target');
  for (const kind of target.oneOf) delete kind.additionalProperties;
}

/** Where answers differ from what later versions of the published client describe, each with its reason. */
export const VERSION_DEVIATIONS: readonly (Deviation & { readonly versions: readonly Version[] })[] = [
  {
    versions: ['0.202.0'],
    where: 'cancelImportRun',
    what: 'the status is 201',
    reason: 'The three versions before describe 201. Clients take every status of success',
    apply: cancelledRuns,
  },
  {
    versions: ['0.202.0'],
    where: 'GitSyncState',
    what: '`installationId` and `installationStatus` are absent, and `installationProvider` where the repository is at neither GitHub nor GitLab',
    reason:
      'A space can be imported from and exported to repositories on demand, and kept equal with those of any server',
    apply: repositoriesWithoutInstallation,
  },
  {
    versions: ['0.202.0'],
    where: 'GitSyncInstallation',
    what: 'further providers, the address of the repository, the app, the hook, whether changes are put together, and why both sides are not equal',
    reason: 'A service of one’s own meets any server, and has no application that the providers know',
    apply: installationsOfAnyServer,
  },
  {
    versions: ['0.167.0', '0.181.0', '0.202.0'],
    where: 'DocumentInlineButton',
    what: 'the target of a button stands beside its label, kind, size and icon',
    reason:
      'The description lets no button be valid: one half of it requires a label, the other half forbids everything but the target',
    apply: buttonsInTwoParts,
  },
];
