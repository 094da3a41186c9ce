import { describe, expect, it } from '@jest/globals';
import { newId } from '../src/kernel/common/ids.js';
import { useApp } from './app.js';
import { buildOrganization, buildPerson, type Person } from './build.js';

const app = useApp();

const withEmail = async (email: string, verified = true): Promise<Person> => {
  const person = await buildPerson(app.current);
  await app.current.database.execute('UPDATE account SET email = $2, email_verified = $3 WHERE id = $1', [
    person.id,
    email,
    verified,
  ]);
  return { ...person, email };
};
const domainOfItsOwn = () => `${newId().toLowerCase()}.example`;

describe('the settings of an organization', () => {
  it('are changed by administrators, field by field', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}`;
    const hostname = `h-${newId().toLowerCase()}`;
    const before = await api.get(path);
    const changed = await api.patch(path, {
      title: ' Acme ',
      emailDomains: ['acme.com'],
      hostname,
      defaultRole: 'comment',
      logo: 'https://example.com/logo.png',
      ai: true,
      inviteLinks: false,
      mergeRules: {
        type: 'rules',
        rules: [{ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [workspace.admin.id] }],
      },
      plan: 'enterprise_2024',
      id: newId(),
      createdAt: '2000-01-01T00:00:00.000Z',
    });
    expect(changed.body).toMatchObject({
      id: workspace.id,
      title: 'Acme',
      emailDomains: ['acme.com'],
      hostname,
      defaultRole: 'comment',
      ai: true,
      sso: false,
      inviteLinks: false,
      plan: 'internal',
      createdAt: before.body['createdAt'],
      urls: { logo: 'https://example.com/logo.png' },
      mergeRules: {
        type: 'rules',
        rules: [{ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [workspace.admin.id] }],
      },
    });
    // Everybody in the organization is shown the logo, wherever the organization stands.
    const member = await workspace.member('read');
    expect((await member.api.get(path)).body['urls']).toMatchObject({ logo: 'https://example.com/logo.png' });
    expect((await member.api.get('/orgs')).body).toMatchObject({
      items: [{ id: workspace.id, urls: { logo: 'https://example.com/logo.png' } }],
    });
    await app.current.database.execute(
      `UPDATE organization SET type = 'community', use_case = 'openSourceDocs', community_type = 'nonProfit' WHERE id = $1`,
      [workspace.id],
    );
    expect((await api.get(path)).body).toMatchObject({
      type: 'community',
      useCase: 'openSourceDocs',
      communityType: 'nonProfit',
    });
    const cleared = await api.patch(path, { logo: null, defaultRole: null });
    expect(cleared.body).toMatchObject({ title: 'Acme', defaultRole: null });
    expect(cleared.body['urls']).not.toHaveProperty('logo');
    expect(
      (await api.patch(path, { title: 'Late' }, { headers: { 'If-Match': before.headers.get('etag') ?? '' } })).status,
    ).toBe(412);
    for (const nothing of [
      {},
      { title: 'Acme' },
      {
        defaultRole: null,
        mergeRules: {
          type: 'rules',
          rules: [{ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [workspace.admin.id] }],
        },
      },
    ]) {
      expect((await api.patch(path, nothing)).headers.get('etag')).toBe(cleared.headers.get('etag'));
    }
    const events = await app.current.database.query(
      `SELECT FROM event WHERE type = 'organization_updated' AND organization_id = $1`,
      [workspace.id],
    );
    expect(events).toHaveLength(2);
  });

  it('are refused where they are wrong, and to everybody else', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const path = `/orgs/${workspace.id}`;
    const hostname = `h-${newId().toLowerCase()}`;
    expect((await other.admin.api.patch(`/orgs/${other.id}`, { hostname })).status).toBe(200);
    expect((await workspace.admin.api.patch(path, { hostname })).status).toBe(409);
    const wrong: [object, string][] = [
      [{ title: 'x' }, 'title'],
      [{ hostname: 'No' }, 'hostname'],
      [{ hostname: '-abc' }, 'hostname'],
      [{ emailDomains: ['@acme.com'] }, 'emailDomains.0'],
      [{ defaultRole: 'owner' }, 'defaultRole'],
      [{ logo: 'javascript:alert(1)' }, 'logo'],
      [{ mergeRules: { type: 'inherit' } }, 'mergeRules.type'],
      [
        { mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [other.admin.id] }] } },
        'mergeRules.rules.0.users.0',
      ],
      [{ defaultContent: { type: 'site', site: newId() } }, 'defaultContent.site'],
      [{ defaultContent: { type: 'space', site: newId() } }, 'defaultContent.type'],
    ];
    for (const [body, field] of wrong)
      expect((await workspace.admin.api.patch(path, body)).body).toMatchObject({
        error: { code: 400, details: [{ path: field }] },
      });
    for (const role of ['none', 'read', 'create'] as const)
      expect((await (await workspace.member(role)).api.patch(path, { title: 'Mine' })).status).toBe(403);
    expect((await other.admin.api.patch(path, { title: 'Mine' })).status).toBe(404);
    expect((await workspace.admin.api.get(path)).body).toMatchObject({ title: 'Test organization' });
  });

  it('name a site of the organization as default content', async () => {
    const workspace = await buildOrganization(app.current);
    const other = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}`;
    const site = await api.post<{ id: string }>(`${path}/sites`, { title: 'Docs' });
    expect(site.status).toBe(201);
    const before = await api.get(path);
    const withoutName = await api.patch(path, { defaultContent: { type: 'site', site: site.body.id } });
    expect(withoutName.body).toMatchObject({ error: { code: 400, details: [{ path: 'defaultContent' }] } });
    const changed = await api.patch(
      path,
      { hostname: `h-${newId().toLowerCase()}`, defaultContent: { type: 'site', site: site.body.id } },
      { headers: { 'If-Match': before.headers.get('etag') ?? '' } },
    );
    expect(changed.body).toMatchObject({ defaultContent: { type: 'site', site: site.body.id } });
    expect(
      (await api.patch(path, { title: 'Late' }, { headers: { 'If-Match': before.headers.get('etag') ?? '' } })).status,
    ).toBe(412);
    const foreign = await other.admin.api.patch(`/orgs/${other.id}`, {
      defaultContent: { type: 'site', site: site.body.id },
    });
    expect(foreign.body).toMatchObject({ error: { code: 400, details: [{ path: 'defaultContent.site' }] } });
    expect((await api.patch(path, { defaultContent: null })).body).not.toHaveProperty('defaultContent');
  });
});

describe('joining by e-mail domain', () => {
  it('takes a verified address of an admitted domain and gives the default role', async () => {
    const domain = domainOfItsOwn();
    const workspace = await buildOrganization(app.current);
    await workspace.admin.api.patch(`/orgs/${workspace.id}`, { emailDomains: [domain], defaultRole: 'comment' });
    const join = ({ api }: Person) => api.post(`/orgs/${workspace.id}/join`);
    const person = await withEmail(`Ada@${domain.toUpperCase()}`);
    expect((await join(person)).status).toBe(204);
    expect((await person.api.get(`/orgs/${workspace.id}/members/${person.id}`)).body).toMatchObject({
      role: 'comment',
    });
    await workspace.admin.api.patch(`/orgs/${workspace.id}/members/${person.id}`, { role: null });
    expect((await join(person)).status).toBe(204);
    expect((await person.api.get(`/orgs/${workspace.id}/members/${person.id}`)).body).toMatchObject({ role: null });
    expect((await join(await withEmail(`b@${domain}`, false))).status).toBe(400);
    expect((await join(await withEmail(`c@sub.${domain}`))).status).toBe(400);
    expect((await join(await withEmail(`d@x${domain}`))).status).toBe(400);
    expect((await join(await withEmail(`"e@${domain}"@evil.example`))).status).toBe(400);
    expect((await person.api.post(`/orgs/${newId()}/join`)).status).toBe(404);
    expect((await person.api.post('/orgs/unknown/join')).status).toBe(404);
    await workspace.admin.api.patch(`/orgs/${workspace.id}`, { defaultRole: null });
    const guest = await withEmail(`f@${domain}`);
    expect((await join(guest)).status).toBe(204);
    expect((await guest.api.get(`/orgs/${workspace.id}/members/${guest.id}`)).body).toMatchObject({ role: null });
  });

  it('never brings back a member who was disabled', async () => {
    const domain = domainOfItsOwn();
    const workspace = await buildOrganization(app.current);
    await workspace.admin.api.patch(`/orgs/${workspace.id}`, { emailDomains: [domain], defaultRole: 'read' });
    const person = await withEmail(`a@${domain}`);
    await person.api.post(`/orgs/${workspace.id}/join`);
    await app.current.database.execute('UPDATE member SET disabled = true WHERE user_id = $1', [person.id]);
    expect((await person.api.post(`/orgs/${workspace.id}/join`)).status).toBe(404);
    expect((await person.api.get(`/orgs/${workspace.id}`)).status).toBe(404);
  });

  it('finds the organizations of the own domain, without their settings for people outside', async () => {
    const domain = domainOfItsOwn();
    const workspace = await buildOrganization(app.current);
    await workspace.admin.api.patch(`/orgs/${workspace.id}`, {
      emailDomains: ['other.example', domain],
      mergeRules: { type: 'rules', rules: [{ rule: 'require_all_reviews_approved' }] },
    });
    const person = await withEmail(`a@${domain}`);
    const found = await person.api.get<{ organizations: Record<string, unknown>[] }>(
      `/email-domains/${domain.toUpperCase()}/orgs`,
    );
    expect(found.body.organizations).toHaveLength(1);
    expect(found.body.organizations[0]).toMatchObject({
      object: 'organization',
      id: workspace.id,
      title: 'Test organization',
      emailDomains: [domain],
      permissions: { view: false },
    });
    for (const field of ['mergeRules', 'trial', 'defaultRole', 'sso', 'inviteLinks', 'hostname'])
      expect(found.body.organizations[0]).not.toHaveProperty(field);
    await person.api.post(`/orgs/${workspace.id}/join`);
    const joined = await person.api.get<{ organizations: Record<string, unknown>[] }>(`/email-domains/${domain}/orgs`);
    expect(joined.body.organizations[0]).toMatchObject({
      id: workspace.id,
      emailDomains: ['other.example', domain],
      mergeRules: { type: 'rules' },
      permissions: { view: true },
    });
    for (const asked of ['other.example', 'unknown.example'])
      expect((await person.api.get(`/email-domains/${asked}/orgs`)).body).toEqual({ organizations: [] });
    expect((await (await withEmail(`b@${domain}`, false)).api.get(`/email-domains/${domain}/orgs`)).body).toEqual({
      organizations: [],
    });
  });

  it('knows the subdomain of an organization for its members', async () => {
    const { api } = await buildPerson(app.current);
    const made = await api.post<{ id: string }>('/orgs', { title: 'Acme' });
    const hostname = `h-${newId().toLowerCase()}`;
    await api.patch(`/orgs/${made.body.id}`, { hostname });
    expect((await api.get(`/subdomains/${hostname}`)).body).toEqual({
      object: 'subdomain',
      subdomain: hostname,
      target: { type: 'organization', organization: made.body.id },
      isActive: true,
    });
    const stranger = await buildPerson(app.current);
    expect((await stranger.api.get(`/subdomains/${hostname}`)).body).toEqual(
      (await stranger.api.get('/subdomains/unknown')).body,
    );
    expect((await stranger.api.get(`/subdomains/${hostname}`)).status).toBe(404);
  });
});

describe('agent instructions', () => {
  const paragraph = (text: string) => ({
    object: 'document',
    data: { schemaVersion: 8 },
    nodes: [
      {
        object: 'block',
        type: 'paragraph',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
      },
    ],
  });

  it('are a document that administrators write and members read', async () => {
    const workspace = await buildOrganization(app.current);
    const path = `/orgs/${workspace.id}/agent-instructions`;
    const empty = await workspace.admin.api.get(path);
    expect(empty.body).toMatchObject({ object: 'agent-instructions', instructions: { object: 'document', nodes: [] } });
    expect(empty.body).not.toHaveProperty('updatedBy');
    const instructions = paragraph('Be brief.');
    // What says nothing may be left out, and is there again.
    const bare = {
      ...instructions,
      nodes: [{ object: 'block', type: 'paragraph', nodes: instructions.nodes[0]?.nodes }],
    };
    const written = await workspace.admin.api.put(path, { instructions: bare });
    expect(written.body).toMatchObject({ instructions, updatedBy: workspace.admin.id, updatedAt: expect.any(String) });
    const reader = await workspace.member('read');
    expect((await reader.api.get(path)).body).toEqual(written.body);
    expect((await (await workspace.member('create')).api.put(path, { instructions })).status).toBe(403);
    expect((await (await buildOrganization(app.current)).admin.api.get(path)).status).toBe(404);
    const wrong = { ...instructions, nodes: [{ object: 'block', type: 'unheard-of' }] };
    expect((await workspace.admin.api.put(path, { instructions: wrong })).body).toMatchObject({
      error: { code: 400, details: [{ path: 'instructions.nodes.0' }] },
    });
    for (const body of [
      {},
      { instructions: 'text' },
      { instructions: null },
      { instructions: [] },
      { instructions, markdown: 'Both' },
    ])
      expect((await workspace.admin.api.put(path, body)).status).toBe(400);
  });

  it('are written and read as Markdown, and never over the text of somebody else', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const path = `/orgs/${workspace.id}/agent-instructions`;
    const query = { format: 'markdown' };
    const read = () => api.get<{ markdown: string }>(path, { query });
    const first = await read();
    expect(first.body.markdown).toBe('');
    const markdown =
      '# Tone\n\nWrite **briefly**, see [the guide](https://example.com/a?b=%22) and [a page](gone.md).\n\n* One\n* العربية\n';
    const ifMatch = (answer: { headers: Headers }) => ({
      headers: { 'If-Match': answer.headers.get('etag') ?? '' },
    });
    expect((await api.put(path, { markdown }, ifMatch(first))).status).toBe(200);
    const second = await read();
    expect(second.body.markdown).toContain('[the guide](https://example.com/a?b=%22)');
    expect(second.body.markdown).toContain('* العربية');
    expect(await api.get(path)).toMatchObject({ body: expect.not.objectContaining({ markdown: expect.anything() }) });
    expect((await api.put(path, { markdown: 'Late' }, ifMatch(first))).status).toBe(412);
    const both = await Promise.all(['A', 'B'].map((text) => api.put(path, { markdown: text }, ifMatch(second))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    // The same text gives the same document again.
    const third = await read();
    expect((await api.put(path, { markdown: third.body.markdown }, ifMatch(third))).status).toBe(200);
    expect((await read()).body.markdown).toBe(third.body.markdown);
    expect((await api.put(path, { markdown: '' })).body).toMatchObject({ instructions: { nodes: [] } });
    expect((await api.put(path, { markdown: 'x'.repeat(100_001) })).status).toBe(400);
    expect((await api.put(path, { markdown: '> '.repeat(40_000) })).status).toBeLessThan(500);
    expect((await api.get(path, { query: { format: 'pdf' } })).status).toBe(400);
  });
});
