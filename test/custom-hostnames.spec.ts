import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { newId } from '../src/kernel/common/ids.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { hostnameStatus, targetsOfListener, type DnsRecords } from '../src/publishing/sites/domain/hostname-status.js';
import { organizationLabel } from '../src/publishing/sites/domain/organization-host.js';
import { DnsLookup } from '../src/publishing/sites/hostnames/dns-lookup.js';
import { HostnameTargets } from '../src/publishing/sites/hostnames/hostname-targets.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Site } from './published-site.js';

const webroot = mkdtempSync(join(tmpdir(), 'bindery-acme-'));
const app = useApp({ HOSTNAME_TARGETS: 'sites.example.com, 203.0.113.7', ACME_WEBROOT: webroot });
const published = usePublicListener(app);
afterAll(() => rmSync(webroot, { recursive: true }));

/** The records of DNS while tests run; 'failing' names no server answers for. */
const zone = new Map<string, DnsRecords | 'failing'>();
beforeAll(() => {
  const dns = app.current.get(DnsLookup);
  dns.recordsOf = (name) => {
    const records = zone.get(name) ?? { aliases: [], addresses: [] };
    return records === 'failing' ? Promise.reject(new Error('no answer')) : Promise.resolve(records);
  };
  dns.addressesOf = async (name) => (await dns.recordsOf(name)).addresses as string[];
});
beforeEach(() => {
  zone.clear();
  zone.set('sites.example.com', { aliases: [], addresses: ['198.51.100.1', '2001:db8::1'] });
});

interface Hostname {
  readonly object: string;
  readonly hostname: string;
  readonly target: object;
  readonly isActive: boolean;
  readonly status?: string;
  readonly dns?: { readonly targets: string[]; readonly checkedAt?: string; readonly advice?: string };
  readonly urls: object;
}

async function buildSite(): Promise<Site & { hostname: string; workspace: Workspace }> {
  const workspace = await buildOrganization(app.current);
  const space = await buildSpace(workspace, 'Space');
  await space.write(
    { operation: 'insert_page', title: 'First', document: { markdown: 'Text' } },
    { operation: 'insert_page', title: 'Second', document: { markdown: 'More text' } },
  );
  const site = await publish(workspace, [space], 'public', `Site ${newId()}`);
  return { ...site, workspace, hostname: `docs.${site.id.toLowerCase()}.example` };
}

const drain = () => app.current.get(Jobs).drain();
const at = (hostname: string, path = '/') => published.see(path, { host: hostname });

describe('a hostname of a site', () => {
  it('is served once DNS shows that it leads here, and says until then what to do', async () => {
    const { api, path, base, id, hostname } = await buildSite();
    const set = await api.patch<{ hostname: string; urls: { published: string } }>(path, { hostname });
    expect([set.status, set.body.hostname, set.body.urls.published]).toEqual([
      200,
      hostname,
      `${published.origin}${base}`,
    ]);
    const address = `/custom-hostnames/${hostname}`;
    const fresh = await api.get<Hostname>(address);
    expect([fresh.status, fresh.body]).toEqual([
      200,
      {
        object: 'custom-hostname',
        hostname,
        target: { type: 'site', site: id },
        isActive: false,
        dns: {
          targets: ['sites.example.com', '203.0.113.7'],
          advice: `Give ${hostname} a CNAME record with sites.example.com, or A or AAAA records with 203.0.113.7. DNS is being asked`,
        },
        urls: { location: `${app.current.url}/v1${address}` },
      },
    ]);
    const states: [DnsRecords | 'failing' | undefined, string, boolean][] = [
      [undefined, 'dns_no_cname', false],
      [{ aliases: ['elsewhere.example.com'], addresses: ['198.51.100.9'] }, 'dns_wrong_cname', false],
      ['failing', 'internal_error', false],
      [{ aliases: ['sites.example.com'], addresses: ['198.51.100.1'] }, 'dns_passed', true],
      ['failing', 'internal_error', true],
      [{ aliases: [], addresses: ['203.0.113.7', '2001:db8::1'] }, 'dns_passed', true],
      [{ aliases: [], addresses: ['203.0.113.7', '203.0.113.8'] }, 'dns_wrong_cname', false],
    ];
    for (const [records, status, isActive] of states) {
      if (records === undefined) zone.delete(hostname);
      else zone.set(hostname, records);
      expect((await api.patch(address)).status).toBe(204);
      await drain();
      const { body } = await api.get<Hostname>(address);
      expect(body).toMatchObject({ status, isActive, dns: { checkedAt: expect.stringContaining('T') } });
      expect([status, body.dns?.advice === undefined]).toEqual([status, status === 'dns_passed']);
      expect([status, (await at(hostname)).status]).toEqual([status, isActive ? 200 : 404]);
      const { urls } = (await api.get<{ urls: { published: string } }>(path)).body;
      expect(urls.published.includes(hostname)).toBe(isActive);
    }
  });

  it('is asked for again while it waits, more rarely the longer it does', async () => {
    const { api, path, hostname } = await buildSite();
    await api.patch(path, { hostname });
    await drain();
    const checkedAt = async () => (await api.get<Hostname>(`/custom-hostnames/${hostname}`)).body.dns?.checkedAt ?? '';
    const first = await checkedAt();
    const minutesLater = async (minutes: number) => {
      app.current.setTime(new Date(Date.parse(first) + minutes * 60_000));
      await app.current.get(Jobs).enqueue('hostnames.check-waiting', {});
      await drain();
      app.current.setTime(undefined);
      return (Date.parse(await checkedAt()) - Date.parse(first)) / 60_000;
    };
    expect(await minutesLater(20)).toBe(20);
    expect(await minutesLater(21)).toBe(20);
    zone.set(hostname, { aliases: ['Sites.Example.com.'], addresses: [] });
    expect(await minutesLater(30)).toBe(30);
    expect((await at(hostname)).status).toBe(200);
    expect(await minutesLater(3000)).toBe(30);
  });

  it('belongs to one site, and is free again when it is removed or its site is', async () => {
    const one = await buildSite();
    const other = await buildSite();
    zone.set(one.hostname, { aliases: ['sites.example.com'], addresses: [] });
    await one.api.patch(one.path, { hostname: one.hostname });
    const claim = () => other.api.patch<{ error: object }>(other.path, { hostname: one.hostname });
    const refused = await claim();
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.objectContaining({ details: [{ path: 'hostname', message: 'is taken' }] }),
    ]);
    await drain();
    expect((await at(one.hostname)).status).toBe(200);
    const address = `/custom-hostnames/${one.hostname}`;
    expect((await one.api.get<Hostname>(address)).body.hostname).toBe(one.hostname);
    expect((await one.api.delete(address)).status).toBe(204);
    expect((await one.api.get(address)).status).toBe(404);
    expect((await one.api.delete(address)).status).toBe(204);
    expect((await at(one.hostname)).status).toBe(404);
    expect((await one.api.get(one.path)).body).not.toHaveProperty('hostname');
    expect((await claim()).status).toBe(200);
    await other.api.patch(other.path, { hostname: null });
    expect((await claim()).status).toBe(200);
    await other.api.delete(other.path);
    expect((await one.api.patch(one.path, { hostname: one.hostname })).status).toBe(200);
  });

  it('is not that of an organization below the host of published sites, whoever comes first', async () => {
    const { api, path } = await buildSite();
    const other = await buildOrganization(app.current);
    const label = () => `h-${newId().toLowerCase()}`;
    const host = 'sites.example.org';
    app.current.get(Addresses).announce(app.current.url, `https://${host}`);
    const taken = { error: { code: 409, details: [{ path: 'hostname', message: 'is taken' }] } };
    const claim = (name: string) => api.patch<object>(path, { hostname: `${name}.${host}` });
    const name = (hostname: string) => other.admin.api.patch<object>(`/orgs/${other.id}`, { hostname });
    const [ofSite, ofOrganization] = [label(), label()];
    expect((await claim(ofSite)).status).toBe(200);
    expect((await name(ofSite)).body).toMatchObject(taken);
    expect((await name(ofOrganization)).status).toBe(200);
    expect((await claim(ofOrganization)).body).toMatchObject(taken);
    for (let round = 0; round < 5; round++) {
      const both = label();
      const answers = await Promise.all([claim(both), name(both)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    app.current.get(Addresses).announce(app.current.url, published.origin);
  });

  it('is shown to those who see the site, and changed by its administrators only', async () => {
    const { api, path, hostname, workspace } = await buildSite();
    await api.patch(path, { hostname });
    const address = `/custom-hostnames/${hostname}`;
    const reader = await workspace.member('read');
    const stranger = (await buildOrganization(app.current)).admin;
    expect((await reader.api.get<Hostname>(address)).body.hostname).toBe(hostname);
    expect([(await reader.api.patch(address)).status, (await reader.api.delete(address)).status]).toEqual([403, 403]);
    for (const unseen of [address, '/custom-hostnames/docs.nobody.example'])
      expect([
        (await stranger.api.get(unseen)).status,
        (await stranger.api.patch(unseen)).status,
        (await stranger.api.delete(unseen)).status,
      ]).toEqual([404, 404, 204]);
    expect((await api.get<Hostname>(address)).body.hostname).toBe(hostname);
  });
});

describe('the default site of an organization', () => {
  it('is at the root of its hostname below the host of published sites', async () => {
    const { api, base, id, workspace } = await buildSite();
    const label = `h-${newId().toLowerCase()}`;
    const host = `${label}.localhost`;
    expect((await at(host)).status).toBe(404);
    await api.patch(`/orgs/${workspace.id}`, { hostname: label, defaultContent: { type: 'site', site: id } });
    const root = await at(host);
    expect([root.status, root.body.includes(`href="/second"`)]).toEqual([200, true]);
    expect((await at(host, '/second')).body).toContain('More text');
    expect((await published.see(`${base}/second`)).body).toContain('More text');
    const ask = (domain: string) => published.see(`/.well-known/bindery/tls-check?domain=${domain}`);
    expect((await ask(host)).status).toBe(200);
    await api.patch(`/orgs/${workspace.id}`, { defaultContent: null });
    expect([(await at(host)).status, (await ask(host)).status]).toEqual([404, 404]);
  });
});

describe('the hostnames of organizations', () => {
  it.each([
    ['acme.docs.example.com', 'docs.example.com', 'acme'],
    ['a.b.docs.example.com', 'docs.example.com', undefined],
    ['docs.example.com', 'docs.example.com', undefined],
    ['acme.127.0.0.1', '127.0.0.1', undefined],
    ['acme.[::1]', '[::1]', undefined],
  ])('%s below %s is %s', (host, listener, label) => expect(organizationLabel(host, listener)).toBe(label));
});

describe('certificates', () => {
  it('may be ordered for the names that are served, and for no others', async () => {
    const { api, path, hostname } = await buildSite();
    const ask = (domain: string, method = 'GET') =>
      published.see(`/.well-known/bindery/tls-check?domain=${domain}`, { host: '127.0.0.1' }, method);
    await api.patch(path, { hostname });
    await drain();
    expect((await ask(hostname)).status).toBe(404);
    zone.set(hostname, { aliases: ['sites.example.com'], addresses: [] });
    await api.patch(`/custom-hostnames/${hostname}`);
    await drain();
    const known = await ask(hostname.toUpperCase());
    expect([known.status, known.body, known.headers['cache-control']]).toEqual([200, '', 'no-store']);
    for (const own of ['localhost', '127.0.0.1']) expect([own, (await ask(own)).status]).toEqual([own, 200]);
    await api.post(`${path}/unpublish`);
    for (const unknown of [hostname, 'nobody.example.com', 'localhost.example.com', '%00', "'"])
      expect([unknown, (await ask(unknown)).status]).toEqual([unknown, 404]);
    expect((await ask('')).body).toContain('"path":"domain"');
    expect([(await ask('')).status, (await ask(hostname, 'POST')).status]).toEqual([400, 405]);
  });

  it('are got by the answers that an ACME client leaves, which no site is in the way of', async () => {
    const { api, path, hostname } = await buildSite();
    zone.set(hostname, { aliases: ['sites.example.com'], addresses: [] });
    await api.patch(path, { hostname });
    await drain();
    const { status } = await api.post(`${path}/redirects`, {
      source: '/.well-known/*',
      destination: { kind: 'external', url: 'https://example.com/' },
    });
    expect([status, (await at(hostname, '/.well-known/change-password')).location]).toEqual([
      201,
      'https://example.com/',
    ]);
    const challenges = '/.well-known/acme-challenge';
    mkdirSync(join(webroot, challenges), { recursive: true });
    writeFileSync(join(webroot, challenges, 'token_-1'), 'token_-1.thumbprint');
    writeFileSync(join(webroot, 'secret'), 'secret');
    const found = await at(hostname, `${challenges}/token_-1`);
    expect([found.status, found.body, found.headers['content-type']]).toEqual([
      200,
      'token_-1.thumbprint',
      'text/plain; charset=utf-8',
    ]);
    for (const absent of ['other', '', '../../secret', '..%2F..%2Fsecret', 'a/b'])
      expect([absent, (await at(hostname, `${challenges}/${absent}`)).body.includes('secret')]).toEqual([
        absent,
        false,
      ]);
    const missing = await at(hostname, `${challenges}/other`);
    expect([missing.status, JSON.parse(missing.body)]).toEqual([
      404,
      { error: { code: 404, message: expect.stringContaining('Challenge') } },
    ]);
  });
});

describe('what DNS says', () => {
  it('passes for an alias of a target, or for addresses of targets alone', () => {
    const status = (aliases: string[], addresses: string[]) =>
      hostnameStatus({ aliases, addresses }, ['a.example', '192.0.2.1'], new Set(['192.0.2.1', '192.0.2.2']));
    expect(status(['A.example.'], [])).toBe('dns_passed');
    expect(status([], ['192.0.2.1', '192.0.2.2'])).toBe('dns_passed');
    expect(status(['cdn.example'], ['192.0.2.2'])).toBe('dns_passed');
    expect(status([], ['192.0.2.1', '192.0.2.3'])).toBe('dns_wrong_cname');
    expect(status(['gone.example'], [])).toBe('dns_wrong_cname');
    expect(status([], [])).toBe('dns_no_cname');
  });

  it('counts where the host of the listener can be in it', () => {
    expect(targetsOfListener('https://docs.example.com')).toEqual(['docs.example.com']);
    expect(targetsOfListener('https://203.0.113.7:8443')).toEqual(['203.0.113.7']);
    for (const own of [undefined, 'http://localhost:3001', 'http://127.0.0.1:3001', 'http://[::1]:3001'])
      expect(targetsOfListener(own)).toEqual([]);
  });

  it('is not asked where the operator says that hostnames need no record', () => {
    const settings = { hostnameTargets: ['sites.example.com'], publicUrl: 'https://docs.example.com' };
    const [asked, trusted] = [true, false].map(
      (hostnameDnsCheck) => new HostnameTargets({ ...settings, hostnameDnsCheck }),
    );
    expect([asked?.isChecked, trusted?.isChecked]).toEqual([true, false]);
  });

  it('is asked of servers, whose failures are not absence', async () => {
    /** Answers by the first letter of a name: `a` with an address, `n` that there is no such name, others that it failed. */
    const server = createSocket('udp4').on('message', (query, from) => {
      const first = String.fromCharCode(query[13] ?? 0);
      const isAddress = first === 'a' && query.readUInt16BE(query.length - 4) === 1;
      const answer = Buffer.concat([
        query,
        isAddress ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]) : Buffer.alloc(0),
      ]);
      answer.writeUInt16BE(0x8180 | (first === 'a' ? 0 : first === 'n' ? 3 : 2), 2);
      answer.writeUInt16BE(isAddress ? 1 : 0, 6);
      answer.writeUInt16BE(0, 10);
      server.send(answer, from.port, from.address);
    });
    await new Promise<void>((resolve) => void server.bind(0, '127.0.0.1', resolve));
    try {
      const dns = new DnsLookup([`127.0.0.1:${server.address().port}`]);
      expect(await dns.recordsOf('a.example.com')).toEqual({ aliases: [], addresses: ['192.0.2.1'] });
      expect(await dns.recordsOf('none.example.com')).toEqual({ aliases: [], addresses: [] });
      await expect(dns.recordsOf('failing.example.com')).rejects.toThrow(/SERVFAIL/);
    } finally {
      server.close();
    }
  });
});
