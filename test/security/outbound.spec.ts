import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { isAllowedAddress, parseRanges } from '../../src/kernel/platform/outbound/allowed-address.js';
import { Outbound, type ResolvedAddress, type Resolver } from '../../src/kernel/platform/outbound/outbound.js';
import type { OutboundProblem } from '../../src/kernel/platform/outbound/outbound-error.js';
import { readSources, type SourceFile } from '../architecture/source.js';
import { makeIdentity } from './saml/certificates.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let port: number;
let requests: IncomingMessage[] = [];
let handler: Handler = (_, response) => response.end('hello');

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const CLIENT = 'kernel/platform/outbound/outbound.ts';
/** Passes requests of a writer's browser on to the preview that it has started on loopback. */
const PREVIEW = 'cli/preview-listener.ts';
/** Asks the DNS servers of the machine about names, and connects to none of them. */
const DNS_LOOKUP = 'publishing/sites/hostnames/dns-lookup.ts';
/** Looks at the certificates of addresses of the installation for its operator, and sends nothing but their names. */
const OWN_ADDRESSES = 'kernel/platform/health-checks/own-addresses.ts';
/** Speaks HTTP with this very process, over pairs of streams. */
const IN_MEMORY = 'operations/agents/api-calls.ts';

/** Calls of what Node gives everybody for requests, in files that give nothing of their own these names. */
function globalRequests({ path, tree }: SourceFile): string[] {
  const found: string[] = [];
  const own = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      (ts.isFunctionDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isBindingElement(node) ||
        ts.isVariableDeclaration(node)) &&
      node.name &&
      ts.isIdentifier(node.name)
    )
      own.add(node.name.text);
    const called =
      ts.isCallExpression(node) || ts.isNewExpression(node)
        ? node.expression.getText(tree).replace(/^global(This)?\./, '')
        : '';
    if (/^(fetch|WebSocket|EventSource|XMLHttpRequest)$/.test(called)) found.push(called);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found.filter((name) => !own.has(name)).map((name) => `${path} ${name}`);
}

const records = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
/** A fetch for which loopback is the public internet, except of the names given. */
function outbound(names: Readonly<Record<string, readonly string[]>> = {}): Outbound {
  const resolver: Resolver = async (host) => records(...(names[host] ?? ['127.0.0.1']));
  return new Outbound({ outboundAllow: ['127.0.0.1'] }, resolver);
}
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const strict = new Outbound({ outboundAllow: [] });

async function fails(promise: Promise<unknown>, problem: OutboundProblem): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'OutboundError', problem });
  return error as Error;
}
function serve(next: Handler): void {
  requests = [];
  handler = next;
}

describe('3b-22 addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'ff02::1',
    'fec0::1',
    '2001:db8::1',
    'nonsense',
    '',
    // What URL makes of [::127.0.0.1], translated and tunnelled addresses, and ranges that nobody was given.
    '::7f00:1',
    '::a00:1',
    '::ffff:0:7f00:1',
    '64:ff9b:1::a00:1',
    '::5efe:a00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '1::1',
    '100::1',
    '100:0:0:1::1',
    '4000::1',
    '5f00::1',
    '3fff::1',
    '2001:10::1',
    'fd00:ec2::254',
    '192.0.2.1',
    '192.88.99.1',
    '198.51.100.1',
    '203.0.113.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
  ])('%s is not for callers', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false);
  });

  it.each(['8.8.8.8', '::ffff:8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])('%s is public', (address) =>
    expect(isAllowedAddress(address, [])).toBe(true),
  );

  it('opens what the operator allows, no more', () => {
    const allowed = parseRanges(['10.1.0.0/16', '192.168.1.5', 'fd00:1::/32']);
    expect(
      ['10.1.2.3', '192.168.1.5', 'fd00:1::9', '::ffff:10.1.2.3'].map((each) => isAllowedAddress(each, allowed)),
    ).toEqual([true, true, true, true]);
    expect(['10.2.0.1', '192.168.1.6', 'fd00:2::9'].map((each) => isAllowedAddress(each, allowed))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://169.254.169.254/latest/meta-data/',
    'http://１２７.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://8.8.8.8/',
    'data:text/plain,x',
    'javascript:0',
    'http://user@8.8.8.8/',
    'http://user:secret@8.8.8.8/',
    'http://8.8.8.8@127.0.0.1/',
    '//8.8.8.8/',
    'http://',
    '',
    'http://[::1',
    'http://[::127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b:1::10.0.0.1]/',
    'http://[fe80::1%25lo]/',
    'http://[fec0::1]/',
    'http://[2002:7f00:1::]/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://0x7f000001/',
    'http://0177.0.0.0x1/',
    'http://127.0.0.1./',
    'http://ⓛⓞcalhost/',
    'http://loc\talhost/',
    'http://localhost%00.example.com/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1/',
    'http://127.0.0.1\\@8.8.8.8/',
    'http://127.0.0.1#@8.8.8.8/',
    'http://127.0.0.1?@8.8.8.8/',
    'http://127.0.0.1%2f@8.8.8.8/',
    'http://0/',
    'http://4294967296/',
    'http://256.0.0.1/',
    'https://127.0.0.1/',
    'ws://127.0.0.1/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'dict://127.0.0.1:11211/',
    'jar:http://127.0.0.1!/',
    'blob:http://127.0.0.1/x',
  ])('refuses %s without a connection', async (address) => {
    serve((_, response) => response.end('reached'));
    await fails(strict.fetch(address.replace(/(127[^/]*|localhost\.?)\/$/i, `$1:${port}/`)), 'refused');
    expect(requests).toHaveLength(0);
  });

  it.each([
    '127.0.0.1.nip.io',
    '10-0-0-1.sslip.io',
    'localtest.me',
    'a.localhost',
    '127.0.0.1..',
    'metadata.google.internal',
    'xn--bcher-kva.example',
    '0x7f.1.example',
  ])('refuses the name %s for any record that leads inside', async (name) => {
    serve((_, response) => response.end('reached'));
    for (const record of [
      '127.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::7f00:1',
      '64:ff9b::7f00:1',
      'fe80::1%lo',
      'fd00::1',
    ]) {
      await fails(
        new Outbound({ outboundAllow: [] }, async () => records(record)).fetch(`http://${name}:${port}/`),
        'refused',
      );
      await fails(
        new Outbound({ outboundAllow: [] }, async () => records('8.8.8.8', '2606:4700::1111', record)).fetch(
          `http://${name}:${port}/`,
        ),
        'refused',
      );
    }
    expect(requests).toHaveLength(0);
  });

  it('says the same of all that it does not reach', async () => {
    const faults = await Promise.all(
      ['http://10.0.0.1/', 'http://[::1]/', 'http://224.0.0.1/', 'http://169.254.169.254/'].map((address) =>
        fails(strict.fetch(address), 'refused'),
      ),
    );
    expect(new Set(faults.map(({ message }) => message)).size).toBe(1);
    expect(faults[0]?.message).toContain('OUTBOUND_ALLOW');
  });

  it('refuses other schemes than https where only that is wanted', async () => {
    await fails(outbound().fetch(`http://example.com:${port}/`, { httpsOnly: true }), 'refused');
  });

  it('reaches by plain http only what the operator allows where that is wanted', async () => {
    serve((_, response) => response.end('reached'));
    const guarded = outbound({ 'public.example': ['8.8.8.8'], 'both.example': ['127.0.0.1', '8.8.8.8'] });
    expect((await guarded.fetch(`http://inside.example:${port}/`, { httpsOnly: 'in-public' })).status).toBe(200);
    for (const host of ['public.example', 'both.example', '8.8.8.8'])
      expect(
        (await fails(guarded.fetch(`http://${host}:${port}/`, { httpsOnly: 'in-public' }), 'refused')).message,
      ).toBe('only https is possible');
    expect(requests).toHaveLength(1);
  });

  it('tells without a look-up what is never reached', () => {
    const guarded = outbound();
    for (const address of [
      'https://hooks.example/',
      'http://hooks.example/',
      'http://127.0.0.1/',
      'http://localhost/',
      'https://8.8.8.8/',
    ])
      expect(() => guarded.check(address, { httpsOnly: 'in-public' })).not.toThrow();
    for (const address of [
      'https://10.0.0.1/',
      'http://8.8.8.8/',
      'https://[::1]/',
      'ftp://8.8.8.8/',
      'https://a@8.8.8.8/',
    ])
      expect(() => guarded.check(address, { httpsOnly: 'in-public' })).toThrow(
        /not allowed|only http|user or password/,
      );
    for (const address of ['http://hooks.example/', 'https://localhost/', 'https://a.localhost./', 'http://127.0.0.1/'])
      expect(() => strict.check(address, { httpsOnly: 'in-public' })).toThrow(/only https|not allowed/);
    expect(() => strict.check('http://hooks.example/')).not.toThrow();
  });
});

describe('3b-22 the one way out', () => {
  const sources = readSources(new URL('../../src', import.meta.url).pathname);
  const importing = (specifier: RegExp) =>
    sources.flatMap(({ path, imports }) =>
      imports
        .filter((each) => each.kind !== 'type' && specifier.test(each.specifier))
        .map(({ names }) => ({ path, names })),
    );
  const pathsOf = (found: readonly { readonly path: string }[]): string[] => [
    ...new Set(found.map(({ path }) => path)),
  ];

  it('is the guarded client: nothing else opens connections', () => {
    const opens = ({ names }: { names: readonly string[] }): boolean =>
      names.length === 0 ||
      names.some(
        (name) =>
          !/^(createServer|STATUS_CODES|Server|Socket|BlockList|isIP(v[46])?|AddressInfo|LookupFunction|IncomingMessage|ServerResponse|RequestListener)$/.test(
            name,
          ),
      );
    expect(
      pathsOf(importing(/^(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|quic|inspector)$/).filter(opens)),
    ).toEqual([PREVIEW, OWN_ADDRESSES, CLIENT, IN_MEMORY, DNS_LOOKUP]);
    expect(
      pathsOf(importing(/^(undici|axios|got|node-fetch|ky|ws|superagent|request|needle|isomorphic-git\/http.*)$/)),
    ).toEqual([]);
    expect(sources.flatMap((file) => globalRequests(file))).toEqual([
      // A writer's own server, to which their command speaks.
      'cli/folder/space-client.ts fetch',
      'cli/walkthrough.ts fetch',
      'cli/walkthrough.ts fetch',
      // Callers of a service under test, on loopback.
      'testing.ts fetch',
      'testing.ts fetch',
    ]);
  });

  it('is beside the operator’s own services, each in one place, and programs that the operator installs', () => {
    expect(pathsOf(importing(/^(@aws-sdk\/|nodemailer$)/))).toEqual([
      'kernel/platform/mail.ts',
      'kernel/platform/storage/s3-client.ts',
      'kernel/platform/storage/s3-storage.ts',
      'kernel/platform/storage/s3-upload.ts',
      'operations/backup/s3-target.ts',
    ]);
    expect(pathsOf(importing(/^isomorphic-git$/))).toEqual([
      'authoring/interchange/git/changed-files.ts',
      'authoring/interchange/git/changed-paths.ts',
      'authoring/interchange/git/commit-listing.ts',
      'authoring/interchange/git/kept-commit.ts',
      'authoring/interchange/git/remote-branch.ts',
      'authoring/interchange/git/remote-head.ts',
      'authoring/interchange/git/repository.ts',
      // Reads a repository of the developer's own disk.
      'cli/git-roundtrip.ts',
    ]);
    expect(
      pathsOf(importing(/child_process$/)).filter((path) => !path.startsWith('kernel/platform/embedded-postgres/')),
    ).toEqual(['insight/translations/engines/apertium-pipeline.ts']);
    const texts = sources.map(({ path, tree }) => ({ path, text: tree.text }));
    expect(texts.filter(({ text }) => text.includes('setByOperator: true')).map(({ path }) => path)).toEqual([
      'insight/translations/engines/engine-http.ts',
      'kernel/platform/language-model/language-model.ts',
      'kernel/platform/sentence-vectors/embeddings-service.ts',
      'publishing/published-sites/shared-cache/purge-targets.ts',
    ]);
    // A library that fetches by itself is given our client where its settings are made.
    const making = texts.filter(({ text }) =>
      /new oidc\.Configuration\(|[^\w]\.?(discovery|dynamicClientRegistration)\(/.test(text),
    );
    expect(making.map(({ path, text }) => [path, text.includes('customFetch')])).toEqual([
      ['identity/sso/oidc-clients.ts', true],
    ]);
    expect(pathsOf(importing(/^openid-client$/))).toEqual([
      'identity/sso/oidc-clients.ts',
      'identity/sso/oidc-faults.ts',
      'identity/sso/oidc-logins.service.ts',
    ]);
  });
});

describe('3b-23 names', () => {
  it('refuses a name when any of its records is not allowed', async () => {
    serve((_, response) => response.end('reached'));
    const names = {
      'mixed.example': ['127.0.0.1', '10.0.0.1'],
      'mixed6.example': ['127.0.0.1', '::1'],
      'none.example': [],
    };
    await fails(outbound(names).fetch(`http://mixed.example:${port}/`), 'refused');
    await fails(outbound(names).fetch(`http://mixed6.example:${port}/`), 'refused');
    await fails(outbound(names).fetch(`http://none.example:${port}/`), 'failed');
    expect(requests).toHaveLength(0);
  });

  it('dials the address that was checked although the name changes meanwhile', async () => {
    serve((_, response) => response.end('checked'));
    let asked = 0;
    const rebinding: Resolver = async () => records(++asked === 1 ? '127.0.0.1' : '127.0.0.2');
    const other = createServer((_, response) => response.end('rebound'));
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve));
    try {
      const guarded = new Outbound({ outboundAllow: ['127.0.0.1'] }, rebinding);
      expect((await guarded.fetch(`http://rebind.example:${port}/`)).body.toString()).toBe('checked');
      expect(asked).toBe(1);
      expect(requests[0]?.headers.host).toBe(`rebind.example:${port}`);
      // The second request resolves anew and finds the address that is not allowed.
      await fails(guarded.fetch(`http://rebind.example:${port}/`), 'refused');
      expect(requests).toHaveLength(1);
    } finally {
      other.close();
    }
  });

  it('tries the next checked address when one does not answer', async () => {
    serve((_, response) => response.end('second'));
    const guarded = new Outbound({ outboundAllow: ['127.0.0.0/8'] }, async () => records('127.0.0.9', '127.0.0.1'));
    expect((await guarded.fetch(`http://two.example:${port}/`)).body.toString()).toBe('second');
  });

  it('tells nothing about why a name was not reached', async () => {
    const failing = new Outbound({ outboundAllow: [] }, async () => Promise.reject(new Error('SERVFAIL at 10.0.0.53')));
    expect((await fails(failing.fetch('http://x.example/'), 'failed')).message).toBe('the host could not be found');
    const inner = await fails(outbound({ 'in.example': ['10.9.8.7'] }).fetch('http://in.example/'), 'refused');
    expect(inner.message).not.toContain('10.9.8.7');
  });

  it('gives up on a resolver that does not answer', async () => {
    const silent = new Outbound({ outboundAllow: [] }, () => new Promise(() => undefined));
    await fails(silent.fetch('http://x.example/', { timeout: 100 }), 'timeout');
  });
});

describe('3b-23 redirects', () => {
  it('follows three and checks each', async () => {
    serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { Location: `/${left - 1}` }).end();
    });
    const answer = await outbound().fetch(`http://a.example:${port}/3`);
    expect([answer.body.toString(), answer.url]).toEqual(['arrived', `http://a.example:${port}/0`]);
    await fails(outbound().fetch(`http://a.example:${port}/4`), 'refused');
    expect((await outbound().fetch(`http://a.example:${port}/1`, { redirects: 0 })).status).toBe(302);
  });

  it.each([
    'http://10.0.0.1/',
    'http://inner.example/',
    'http://[::1]/',
    'file:///etc/passwd',
    'http://user:pw@a.example/',
    '//169.254.169.254/',
  ])('does not follow to %s', async (location) => {
    let followed = 0;
    serve((_, response) => {
      followed++;
      response.writeHead(307, { Location: location }).end('secret body');
    });
    const error = await fails(
      outbound({ 'inner.example': ['192.168.0.1'] }).fetch(`http://a.example:${port}/`),
      'refused',
    );
    expect(followed).toBe(1);
    expect(error.message).not.toContain('secret');
  });

  it.each([1, 2, 3])('does not follow inwards at redirect %i, by address or by name', async (last) => {
    for (const inward of [`http://127.0.0.2:${port}/`, `http://10.0.0.1:${port}/`, `http://inward.example:${port}/`]) {
      const names: Resolver = async (host) => records(host === 'inward.example' ? '127.0.0.2' : '127.0.0.1');
      serve((request, response) => {
        const hop = Number(request.url?.slice(1));
        response.writeHead(302, { Location: hop === last ? inward : `/${hop + 1}` }).end();
      });
      await fails(new Outbound({ outboundAllow: ['127.0.0.1'] }, names).fetch(`http://a.example:${port}/1`), 'refused');
      expect(requests).toHaveLength(last);
    }
  });

  it('leaves headers behind when the origin changes', async () => {
    serve((request, response) => {
      if (request.url === '/') response.writeHead(301, { Location: `http://b.example:${port}/there` }).end();
      else response.end('ok');
    });
    await outbound().fetch(`http://a.example:${port}/`, {
      headers: { 'X-Signature': 'secret', Accept: 'text/plain' },
      credentials: { username: 'ada', password: 'secret' },
    });
    const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
    expect(requests.map(({ headers }) => [headers['x-signature'], headers.accept, headers.authorization])).toEqual([
      ['secret', 'text/plain', basic],
      [undefined, 'text/plain', undefined],
    ]);
  });

  it('never repeats a body elsewhere', async () => {
    serve((_, response) => response.writeHead(307, { Location: '/again' }).end());
    const answer = await outbound().fetch(`http://a.example:${port}/`, {
      method: 'POST',
      body: Buffer.from('payload'),
    });
    expect([answer.status, requests.length]).toEqual([307, 1]);
  });
});

describe('3b-24 limits', () => {
  it('sends no credentials', async () => {
    serve((_, response) => response.end());
    for (const name of ['Authorization', 'cookie', 'Proxy-Authorization', 'Host'])
      await fails(outbound().fetch(`http://a.example:${port}/`, { headers: { [name]: 'x' } }), 'refused');
    expect(requests).toHaveLength(0);
    await outbound().fetch(`http://a.example:${port}/`);
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('sends bodies, streams too', async () => {
    const bodies: string[] = [];
    serve((request, response) => void text(request).then((body) => response.end(String(bodies.push(body)))));
    await outbound().fetch(`http://a.example:${port}/`, { method: 'POST', body: Buffer.from('bytes') });
    async function* parts() {
      yield Buffer.from('str');
      yield Buffer.from('eam');
    }
    await outbound().fetch(`http://a.example:${port}/`, { method: 'POST', body: parts() });
    expect(bodies).toEqual(['bytes', 'stream']);
  });

  it('stops at the size, announced or not', async () => {
    serve((_, response) => response.writeHead(200, { 'Content-Length': 5000 }).end(Buffer.alloc(5000)));
    await fails(outbound().fetch(`http://a.example:${port}/`, { maxBytes: 4999 }), 'tooLarge');
    expect((await outbound().fetch(`http://a.example:${port}/`, { maxBytes: 5000 })).body).toHaveLength(5000);
    let sent = 0;
    serve((_, response) => {
      const push = (): void => {
        while (response.write(Buffer.alloc(16_384))) if ((sent += 16_384) > 200 * 1024 * 1024) return;
        response.once('drain', push);
      };
      push();
    });
    await fails(outbound().fetch(`http://a.example:${port}/`, { maxBytes: 100_000 }), 'tooLarge');
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('decompresses %s, but no bomb', async (encoding, compress) => {
    serve((_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(compress(Buffer.alloc(50 * 1024 * 1024))),
    );
    const before = process.memoryUsage().rss;
    await fails(outbound().fetch(`http://a.example:${port}/`, { maxBytes: 1024 * 1024 }), 'tooLarge');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    serve((_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(compress(Buffer.from('small'))),
    );
    expect((await outbound().fetch(`http://a.example:${port}/`)).body.toString()).toBe('small');
  });

  it('refuses what is not compressed as it says', async () => {
    serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('plain'));
    await fails(outbound().fetch(`http://a.example:${port}/`), 'failed');
    serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'zstd' }).end('x'));
    await fails(outbound().fetch(`http://a.example:${port}/`), 'failed');
  });

  it('keeps the fault of a body until it is read', async () => {
    serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('plain'));
    const answer = await outbound().open(`http://a.example:${port}/`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fails(text(answer.body), 'failed');
  });

  it('ends slow headers, slow bodies and connections that are cut', async () => {
    serve(() => undefined);
    await fails(outbound().fetch(`http://a.example:${port}/`, { timeout: 200 }), 'timeout');
    serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await fails(outbound().fetch(`http://a.example:${port}/`, { timeout: 300 }), 'timeout');
    // The limit outlives what is collected while an answer is on its way.
    const collecting = setInterval(collectGarbage, 100);
    await fails(
      outbound().fetch(`http://a.example:${port}/`, { timeout: 500, signal: new AbortController().signal }),
      'timeout',
    ).finally(() => clearInterval(collecting));
    serve((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half');
      setTimeout(() => response.destroy(), 50);
    });
    await fails(outbound().fetch(`http://a.example:${port}/`), 'failed');
    const mute = createTcpServer((socket) => socket.end('not http\r\n\r\n'));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    await fails(outbound().fetch(`http://a.example:${(mute.address() as AddressInfo).port}/`), 'failed');
    mute.close();
    await fails(outbound().fetch('http://a.example:1/'), 'failed');
  });

  it('tells that a certificate is not trusted, which people can mend', async () => {
    const { privateKey: key, certificate: cert } = makeIdentity();
    const secure = createSecureServer({ key, cert }, (_, response) => response.end('hello'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const address = `https://a.example:${(secure.address() as AddressInfo).port}/`;
    expect((await fails(outbound().fetch(address), 'failed')).message).toBe(
      'the certificate of the server is not trusted',
    );
    secure.close();
  });

  it('stops when it is told to', async () => {
    serve(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    await fails(outbound().fetch(`http://a.example:${port}/`, { signal: controller.signal }), 'failed');
  });

  it('gives error answers as answers and streams what is opened', async () => {
    serve((_, response) => response.writeHead(404, { 'X-Reason': 'gone' }).end('no'));
    const answer = await outbound().open(`http://a.example:${port}/`);
    expect([answer.status, answer.statusText, answer.headers['x-reason'], await text(answer.body)]).toEqual([
      404,
      'Not Found',
      'gone',
      'no',
    ]);
  });
});
