import { setTimeout as pause } from 'node:timers/promises';
import { ACCESS_LEVELS, type AccessLevel } from '../../../src/kernel/common/roles.js';
import { newId } from '../../../src/kernel/common/ids.js';
import type { TestApp } from '../../app.js';
import type { Person } from '../../build.js';
import { buildWorld, publication, type Ids, type World } from '../../permissions/world.js';
import { makeIdentity } from '../saml/certificates.js';
import type { Dice } from './dice.js';
import { Marks } from './marks.js';

/** The roles of those who call, from guests upwards. */
export const CALLERS: readonly AccessLevel[] = ACCESS_LEVELS;

/** Sets of ids that are kept: of each, what stands before an id in a path belongs to what stands behind it. */
const KEPT = 60;
const PATIENCE_MS = 60_000;
const TOKENS_KEPT = 40;

/** One of the two organizations: its things and people, and what must never be seen by the other's. */
export class Side {
  private readonly contexts: Ids[] = [];
  private readonly pageTokens: string[] = [];
  private constructor(
    readonly world: World,
    readonly marks: Marks,
    readonly people: ReadonlyMap<AccessLevel, Person>,
  ) {
    for (const [name, id] of Object.entries(world.ids)) if (name.endsWith('Id')) marks.claim(id);
    for (const { id } of [...people.values(), world.workspace.admin]) marks.claim(id);
  }

  /** Of one kind the site is published for everybody, of the other for those with a link to it. */
  static async build(app: TestApp, visibility: 'public' | 'share-link'): Promise<Side> {
    const canary = `Canary${newId()}`;
    const world = await buildWorld(app, undefined, versionIsThere);
    await speak(world, canary, visibility);
    await publication(world);
    const people = new Map<AccessLevel, Person>();
    for (const role of CALLERS) people.set(role, await world.workspace.member(role));
    await app.database.execute(
      'UPDATE account SET display_name = $2 WHERE id IN (SELECT user_id FROM member WHERE organization_id = $1)',
      [world.workspace.id, `Person ${canary}`],
    );
    const { basename } = (
      await world.workspace.admin.api.get<{ basename: string }>(
        `/orgs/${world.workspace.id}/sites/${world.ids['siteId'] ?? ''}`,
      )
    ).body;
    return new Side(
      { ...world, ids: { ...world.ids, basename, email: world.workspace.admin.email } },
      new Marks(canary),
      people,
    );
  }

  get organizationId(): string {
    return this.world.workspace.id;
  }

  person(role: AccessLevel): Person {
    return this.people.get(role) ?? this.world.workspace.admin;
  }

  /** Ids that belong together: those that the world was made with, more often than any made since. */
  idsFor(dice: Dice): Ids {
    return this.contexts.length === 0 || dice.chance(55) ? this.world.ids : dice.pick(this.contexts);
  }

  pageToken(dice: Dice): string {
    return this.pageTokens.length === 0 ? 'x' : dice.pick(this.pageTokens);
  }

  /** Remembers what an answer tells of new things. */
  learn(ids: Ids, found: readonly (readonly [name: string, id: string])[], pageToken: string | undefined): void {
    if (found.length > 0) {
      this.contexts.push({ ...ids, ...Object.fromEntries(found) });
      if (this.contexts.length > KEPT) this.contexts.shift();
    }
    if (pageToken === undefined) return;
    this.pageTokens.push(pageToken);
    if (this.pageTokens.length > TOKENS_KEPT) this.pageTokens.shift();
  }

  /** Gives its people back the roles and tokens that requests took from them; false where the world itself is gone. */
  async heal(): Promise<boolean> {
    const { app, workspace } = this.world;
    const { database } = app;
    for (const [role, { id }] of [...this.people, ['admin', workspace.admin] as const]) {
      await database.execute(
        'INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, $3, now()) ON CONFLICT (organization_id, user_id) DO UPDATE SET role = EXCLUDED.role',
        [workspace.id, id, role],
      );
    }
    await database.execute('UPDATE organization SET sso = false, email_domains = $2 WHERE id = $1', [workspace.id, []]);
    const callers = [...this.people.values(), workspace.admin];
    for (const { api } of callers) if ((await api.get('/user')).status !== 200) return false;
    for (const path of this.landmarks()) if ((await workspace.admin.api.get(path)).status !== 200) return false;
    return true;
  }

  private landmarks(): readonly string[] {
    const id = (name: string): string => this.world.ids[name] ?? '';
    const organization = `/orgs/${this.organizationId}`;
    const space = `/spaces/${id('spaceId')}`;
    return [
      space,
      `${space}/content/page/${id('pageId')}`,
      `${space}/content/files/${id('fileId')}`,
      `${space}/change-requests/${id('changeRequestId')}`,
      `${space}/comments/${id('spaceCommentId')}`,
      `/collections/${id('collectionId')}`,
      `${organization}/teams/${id('teamId')}`,
      `${organization}/members/${id('userId')}`,
      `${organization}/sites/${id('siteId')}`,
      `${organization}/webhooks/${id('webhookId')}`,
      `${organization}/saml/${id('samlProviderId')}`,
      `${organization}/oidc/${id('oidcProviderId')}`,
      `${organization}/openapi/${id('specSlug')}`,
      `${organization}/conversations/${id('conversationId')}`,
      `${organization}/conversations-clusters/${id('clusterId')}`,
      `${organization}/translations/${id('translationId')}`,
      `${organization}/link-invites/${id('inviteId')}`,
    ];
  }
}

/** Waits until the server under fire has read the specification: it works on jobs as well, and may have been the first. */
async function versionIsThere({ workspace, ids }: World): Promise<void> {
  const path = `/orgs/${workspace.id}/openapi/${ids['specSlug'] ?? ''}/versions/latest`;
  for (
    const deadline = Date.now() + PATIENCE_MS;
    (await workspace.admin.api.get(path)).status !== 200;
    await pause(50)
  ) {
    if (Date.now() > deadline) throw new Error('nobody reads specifications any more');
  }
}

let certificate: string | undefined;

/** Writes the canary into everything that the world has and that people name. */
async function speak({ app, workspace, ids }: World, canary: string, visibility: string): Promise<void> {
  const { api } = workspace.admin;
  const id = (name: string): string => ids[name] ?? '';
  const organization = `/orgs/${workspace.id}`;
  const [space, site] = [`/spaces/${id('spaceId')}`, `${organization}/sites/${id('siteId')}`];
  const body = { markdown: `It is ${canary}` };
  const told: readonly (readonly [method: string, path: string, body: object])[] = [
    ['PATCH', organization, { title: canary }],
    ['PATCH', space, { title: canary }],
    ['PATCH', `/collections/${id('collectionId')}`, { title: canary, description: canary }],
    ['PATCH', `${organization}/teams/${id('teamId')}`, { title: canary }],
    ['PATCH', `${space}/change-requests/${id('changeRequestId')}`, { subject: canary }],
    ['POST', `${space}/change-requests/${id('changeRequestId')}/comments`, { body }],
    ['POST', `${space}/comments`, { body }],
    [
      'POST',
      `${space}/content`,
      {
        changes: [
          { operation: 'update_page', page: id('pageId'), title: canary, document: { markdown: `Hello ${canary}` } },
          {
            operation: 'insert_files',
            files: [
              { name: `${canary}.txt`, contentType: 'text/plain', base64: Buffer.from(canary).toString('base64') },
            ],
          },
        ],
      },
    ],
    ['PATCH', site, { title: canary, visibility }],
    ['POST', `${site}/share-links`, { name: canary }],
    ['POST', `${site}/site-spaces`, { spaceId: id('spaceId') }],
    ['PATCH', `${site}/sections/${id('siteSectionId')}`, { title: canary }],
    ['PATCH', `${site}/section-groups/${id('siteSectionGroupId')}`, { title: canary }],
    [
      'POST',
      `${site}/redirects`,
      { source: `/${canary}`, destination: { kind: 'external', url: `https://example.com/${canary}` } },
    ],
    [
      'PATCH',
      `${organization}/saml/${id('samlProviderId')}`,
      {
        label: canary,
        entityID: 'https://idp.example.com/metadata',
        ssoURL: 'https://idp.example.com/sso',
        certificate: (certificate ??= makeIdentity().certificate),
      },
    ],
    [
      'PATCH',
      `${organization}/oidc/${id('oidcProviderId')}`,
      { label: canary, issuer: `https://login.example.com/${canary}`, clientID: canary, clientSecret: canary },
    ],
    ['PATCH', `${organization}/webhooks/${id('webhookId')}`, { description: canary }],
    ['PATCH', `${organization}/conversations-clusters/${id('clusterId')}`, { label: canary }],
    [
      'POST',
      `${organization}/conversations`,
      { id: newId(), subject: canary, parts: [{ type: 'message', role: 'user', body: `How is ${canary} done?` }] },
    ],
    [
      'PUT',
      `${organization}/translations-glossary`,
      { operations: [{ type: 'insert', translations: { en: canary, es: canary } }] },
    ],
    [
      'PUT',
      `${organization}/openapi/${id('specSlug')}`,
      { source: { text: `openapi: 3.1.0\ninfo: {title: ${canary}, version: "1"}\npaths: {}` } },
    ],
  ];
  for (const [method, path, sent] of told) {
    const { status, body: answer } = await api.send(method, path, sent);
    if (status >= 300)
      throw new Error(`${method} ${path} did not take the canary: ${status} ${JSON.stringify(answer)}`);
  }
  await app.database.execute('UPDATE conversation_issue SET title = $2, text = $2 WHERE organization_id = $1', [
    workspace.id,
    canary,
  ]);
}
