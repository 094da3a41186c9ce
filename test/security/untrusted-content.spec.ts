import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { LANGUAGES } from '../../src/kernel/common/languages.js';
import type { Connections } from '../../src/kernel/platform/http/connections.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import { useApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import { MailServer } from '../mail-server.js';
import { readPdf } from '../pdf-reader.js';
import { buildSpace, publish, usePublicListener, type Site, type Space } from '../published-site.js';
import { hostileAddresses, hostileMarkdown, hostileTexts } from './hostile-texts.js';

let mail: MailServer | undefined;
const environment: Record<string, string> = { MAIL_FROM: 'Bindery <docs@example.com>', SMTP_URL: 'smtp://127.0.0.1:1' };
const app = useApp(environment);
const listener = usePublicListener(app);

describe('3b-27 what is no request', () => {
  const servers = (): { name: string; server: Server }[] => [
    { name: 'the API', server: app.current.nest.getHttpServer() },
    {
      name: 'published sites and files',
      server: (Reflect.get(app.current.get(PublicListener), 'connections') as Connections).server,
    },
  ];

  /** All that a server answers to these bytes until it closes the connection, and whether it did by itself. */
  function exchange(server: Server, text: string, wait = 10_000): Promise<{ answer: string; closed: boolean }> {
    return new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write(Buffer.from(text, 'latin1')),
      );
      const chunks: Buffer[] = [];
      const end = (closed: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ answer: Buffer.concat(chunks).toString('latin1'), closed });
      };
      const timer = setTimeout(() => end(false), wait);
      socket
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', () => end(true))
        .on('close', () => end(true));
    });
  }

  const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (headers: string, body = ''): string =>
    `POST /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

  it.each([
    ['both lengths', post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`)],
    [
      'both lengths, the other way round',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${SMUGGLED}`),
    ],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 40', SMUGGLED)],
    ['two lengths in one', post('Content-Length: 0, 40', SMUGGLED)],
    ['a length with a sign', post('Content-Length: +5', `hello${SMUGGLED}`)],
    ['a length in hexadecimal', post('Content-Length: 0x5', `hello${SMUGGLED}`)],
    ['a length below zero', post('Content-Length: -1', SMUGGLED)],
    ['a length beyond all numbers', post('Content-Length: 99999999999999999999999', SMUGGLED)],
    ['an encoding that is not the last', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${SMUGGLED}`)],
    ['an encoding that nobody knows', post('Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`)],
    ['a blank before the colon', post('Content-Length : 5', `hello${SMUGGLED}`)],
    ['a name with a blank in it', post('Transfer Encoding: chunked', SMUGGLED)],
    ['a header without a name', post(': x', SMUGGLED)],
    ['a line feed in a value', post('X-A: b\rTransfer-Encoding: chunked', SMUGGLED)],
    ['NUL in a value', post('X-A: b\0c', SMUGGLED)],
    ['a chunk that is no number', post('Transfer-Encoding: chunked', `zz\r\n${SMUGGLED}`)],
    ['a chunk beyond all numbers', post('Transfer-Encoding: chunked', `ffffffffffffffffff\r\n${SMUGGLED}`)],
    ['a chunk with a body that is longer', post('Transfer-Encoding: chunked', `1\r\nab\r\n0\r\n\r\n${SMUGGLED}`)],
    [
      'a chunk with endless extensions',
      post('Transfer-Encoding: chunked', `1;${'a'.repeat(100_000)}\r\nb\r\n0\r\n\r\n${SMUGGLED}`),
    ],
    ['no host', 'GET /v1/ HTTP/1.1\r\n\r\n'],
    ['a blank in the address', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['HTTP/2 without having agreed on it', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a method that is none', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'headers without an end',
      `GET / HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 3000 }, (_, at) => `X-${at}: ${'a'.repeat(20)}\r\n`).join('')}`,
    ],
  ])('with %s is answered once at most, and the connection closed', async (_, text) => {
    for (const { name, server } of servers()) {
      const { answer, closed } = await exchange(server, text);
      expect([name, closed, answer.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0]).toEqual([
        name,
        true,
        answer === '' ? 0 : 1,
      ]);
      expect([name, /^(HTTP\/1\.1 4\d\d .*|)$/s.test(answer)]).toEqual([name, true]);
      expect(answer).not.toContain('smuggled');
    }
  });

  // test/connections.spec.ts has bodies that come slowly.
  it('with headers that come slowly is not waited for', async () => {
    for (const { server } of servers()) {
      const { headersTimeout } = server;
      // Half a minute: nobody waits that long here.
      expect([headersTimeout <= 30_000, headersTimeout > 0]).toEqual([true, true]);
      Object.assign(server, { headersTimeout: 300, connectionsCheckingInterval: 100 });
      // The interval is read where a server begins to listen.
      server.emit('listening');
      const { answer, closed } = await exchange(server, 'GET /v1/ HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      expect([closed, /^(HTTP\/1\.1 408 .*|)$/s.test(answer)]).toEqual([true, true]);
      Object.assign(server, { headersTimeout, connectionsCheckingInterval: 30_000 });
      server.emit('listening');
    }
  });

  it('is answered with 405 where the method is not for the address', async () => {
    for (const method of ['TRACE', 'PURGE', 'PROPFIND', 'MKCOL', 'LINK', 'SEARCH', 'PATCH', 'DELETE', 'PUT']) {
      const api = await exchange(
        servers()[0]?.server as Server,
        `${method} /v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([method, api.answer.slice(0, 12), /\r\nallow: GET, HEAD, OPTIONS\r\n/i.test(api.answer)]).toEqual([
        method,
        'HTTP/1.1 405',
        true,
      ]);
      const published = await exchange(
        servers()[1]?.server as Server,
        `${method} /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([method, published.answer.slice(0, 12), /\r\nallow: GET, HEAD\r\n/i.test(published.answer)]).toEqual([
        method,
        'HTTP/1.1 405',
        true,
      ]);
    }
    for (const { server } of servers())
      expect(
        (await exchange(server, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')).answer,
      ).not.toMatch(/^HTTP\/1\.1 2/);
  });
});

describe('3b-28 a file that is two things at once', () => {
  const script = '<script>alert(document.domain)</script>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${script}</body></foreignObject></svg>`;
  const CASES: readonly (readonly [name: string, claimed: string, bytes: Buffer | string])[] = [
    ['a GIF that is a script', 'image/gif', `GIF89a/*\0\0*/=1;alert(1)//${script}`],
    [
      'a PNG with a page behind it',
      'image/png',
      Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
        Buffer.from(`<html>${script}`),
      ]),
    ],
    ['a PDF that is a page', 'application/pdf', `%PDF-1.4\n<html>${script}`],
    ['a page with blanks before it', 'image/png', `${' \n'.repeat(40_000)}<html>${script}`],
    ['a page behind a remark', 'text/plain', `<!-- ${'x'.repeat(70_000)} --><html>${script}`],
    [
      'a page in UTF-16',
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`<html>${script}`, 'utf16le')]),
    ],
    ['a page in UTF-7', 'text/plain', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'],
    ['a piece of a page', 'text/plain', `<b>words</b>${script}`],
    ['a drawing', 'image/png', svg],
    [
      'a drawing behind a document type',
      'image/svg+xml',
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`,
    ],
    [
      'a drawing with a prefix',
      'text/plain',
      `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>`,
    ],
    ['XML with a style sheet', 'text/xml', `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:,"?><a/>`],
    ['XHTML', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
    ['XML of its own kind', 'application/x-own+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
    ['an archive of a page', 'multipart/related', `MIME-Version: 1.0\nContent-Type: multipart/related\n\n${script}`],
    ['a script', 'text/javascript', 'alert(1)'],
    ['a script of another name', 'application/x-javascript', 'alert(1)'],
    ['a style sheet', 'text/css', '*{background:url(//evil.example)}'],
    ['WebAssembly', 'application/wasm', Buffer.from('0061736d01000000', 'hex')],
    ['a manifest', 'application/manifest+json', '{"start_url":"https://evil.example"}'],
    ['a cache manifest', 'text/cache-manifest', 'CACHE MANIFEST\n'],
    [
      'a ZIP with a page in front',
      'image/png',
      Buffer.concat([Buffer.from(`<html>${script}`), Buffer.from('504b0304', 'hex')]),
    ],
  ];
  /** What browsers show in place, without that it can be a page of ours. */
  const SHOWN =
    /^(image\/(png|jpeg|gif|webp|avif|bmp)|(audio|video)\/[\w.+-]+|font\/[\w.+-]+|text\/(plain; charset=utf-8|csv; charset=utf-8|markdown; charset=utf-8)|application\/(pdf|json|yaml)(; charset=utf-8)?)$/;

  it('is shown as what it can do no harm as, or saved, and never runs; only on the origin of files', async () => {
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const { body: space } = await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
      title: 'Files',
      empty: true,
      editMode: 'live',
    });
    const files = CASES.map(([, contentType, bytes]) => ({
      name: 'a.html',
      contentType,
      base64: Buffer.from(bytes).toString('base64'),
    }));
    const inserted: { downloadURL: string }[] = [];
    for (let at = 0; at < files.length; at += 20) {
      const { status, body } = await api.post<{ insertedFiles: { downloadURL: string }[] }>(
        `/spaces/${space.id}/content`,
        { changes: [{ operation: 'insert_files', files: files.slice(at, at + 20) }] },
      );
      expect(status).toBe(200);
      inserted.push(...body.insertedFiles);
    }
    expect(inserted).toHaveLength(CASES.length);
    for (const [at, { downloadURL }] of inserted.entries()) {
      const response = await fetch(downloadURL);
      const header = (name: string): string => response.headers.get(name) ?? '';
      const name = CASES[at]?.[0];
      const isShown = header('content-disposition').startsWith('inline');
      expect([name, response.status, header('x-content-type-options')]).toEqual([name, 200, 'nosniff']);
      expect([
        name,
        isShown ? SHOWN.test(header('content-type')) : header('content-disposition').startsWith('attachment'),
      ]).toEqual([name, true]);
      expect([name, header('content-security-policy')]).toEqual([
        name,
        expect.stringMatching(
          header('content-type') === 'application/pdf' ? /^default-src 'none';/ : /^default-src 'none';.*; sandbox$/,
        ),
      ]);
      expect(header('content-security-policy')).not.toMatch(
        /script-src|unsafe-eval|allow-scripts|frame-src|connect-src/,
      );
      expect([new URL(downloadURL).origin === new URL(app.current.url).origin, header('set-cookie')]).toEqual([
        false,
        '',
      ]);
      // The same address means nothing to the API, nor do its own to the other listener.
      expect((await fetch(downloadURL.replace(listener.origin, app.current.url))).status).toBe(404);
    }
    for (const path of ['/v1/', '/v1/user', '/openapi.json', '/docs', '/healthz', '/metrics'])
      expect([path, (await listener.see(path)).status]).toEqual([path, 404]);
  });
});

const SCRIPT = 'alert(1)';
const XSS = hostileTexts(SCRIPT);
const poison = (index: number): string => `T${index} ${XSS[index % XSS.length] ?? ''}`;

describe('3b-29 what people write', () => {
  let workspace: Workspace;
  let space: Space;
  let site: Site;
  const links = hostileAddresses(SCRIPT);

  const unsafe = (index: number): string => `https://unsafe.example/${index}/`;

  beforeAll(async () => {
    workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    await api.patch(`/orgs/${workspace.id}`, { title: poison(0) });
    await api.patch(`/users/${workspace.admin.id}`, { displayName: poison(1).slice(0, 60) });
    space = await buildSpace(workspace, poison(2).slice(0, 50));
    const line = (text: string): string => text.replace(/[\\`*_[\]<>&{}$|~!-]/g, '\\$&').replace(/\n/g, ' ');
    for (let at = 3; at < 12; at++) {
      const document = {
        object: 'document',
        data: {},
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            isVoid: false,
            data: {},
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: poison(at), marks: [] }] }],
          },
          ...links
            .map((_, index) => unsafe(index))
            .map((url) => ({
              object: 'block',
              type: 'paragraph',
              isVoid: false,
              data: {},
              nodes: [
                {
                  object: 'inline',
                  type: 'link',
                  isVoid: false,
                  data: { ref: { kind: 'url', url } },
                  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a link', marks: [] }] }],
                },
              ],
            })),
          {
            object: 'block',
            type: 'code',
            isVoid: false,
            data: { title: poison(at), syntax: 'js' },
            nodes: [
              {
                object: 'block',
                type: 'code-line',
                isVoid: false,
                data: {},
                nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: poison(at), marks: [] }] }],
              },
            ],
          },
        ],
      };
      await space.write({
        operation: 'insert_page',
        title: poison(at),
        description: poison(at),
        ...(at % 2 === 0
          ? { document: { document } }
          : {
              document: {
                markdown: `# ${line(poison(at))}\n\n${poison(at)}\n\n${hostileMarkdown(SCRIPT)}\n`,
              },
            }),
      });
    }
    // Nobody can write these links any more; they may have been stored before.
    for (const [index, url] of links.entries())
      await app.current.database.query(
        'UPDATE document SET body = replace(body::text, $2, $3)::json WHERE space_id = $1',
        [space.id, unsafe(index), JSON.stringify(url).slice(1, -1)],
      );
    await space.write({ operation: 'insert_page', type: 'group', title: poison(12) });
    await space.write({
      operation: 'insert_files',
      files: [{ name: poison(13), contentType: 'text/plain', base64: 'eA==' }],
    });
    site = await publish(workspace, [space], 'public', poison(14));
  });

  /** What could run in a page, or lead out of it by other means than an address of the web. */
  function faultsOf(html: string, policy: string): string[] {
    const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1];
    /** A script that the policy names by its nonce, or by the hash of what it says. */
    const isOurs = (attributes: ReadonlyMap<string, string>, script: string): boolean =>
      (nonce !== undefined && attributes.get('nonce') === nonce) ||
      policy.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    const faults: string[] = [];
    const enter = (node: DefaultTreeAdapterTypes.Node): void => {
      if ('attrs' in node) {
        const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
        const script = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
        const isData = attributes.get('type') === 'application/ld+json' && JSON.parse(script) !== undefined;
        if (node.tagName === 'script' && !isData && !isOurs(attributes, script))
          faults.push(`the script ${script.slice(0, 100)}`);
        if (['iframe', 'object', 'embed', 'base', 'foreignobject'].includes(node.tagName)) faults.push(node.tagName);
        for (const [name, value] of attributes) {
          if (name.startsWith('on') || name === 'srcdoc') faults.push(`${node.tagName} ${name}`);
          if (
            ['href', 'src', 'action', 'formaction', 'content', 'xlink:href'].includes(name) &&
            /^(javascript|vbscript|data(?!:image\/(png|jpeg|gif|webp|svg\+xml)[;,]))\s*:/i.test(
              value.replace(/[\0-\x20]/g, ''),
            ) &&
            node.tagName !== 'meta'
          )
            faults.push(`${node.tagName} ${name}=${value}`);
        }
      }
      if ('childNodes' in node) node.childNodes.forEach(enter);
    };
    enter(parse(html));
    return faults;
  }

  /** Links and pictures of Markdown that would run; code and what tags say are words. */
  const linksIn = (markdown: string): string[] =>
    markdown
      .replace(/```[^]*?```|\{%.*?%\}/g, '')
      .match(/(?<!\\)\]\(<?\s*(javascript|vbscript|data)\s*:[^)]*|<a [^>]*(javascript|vbscript|data):[^>]*/gi) ?? [];

  it('is text in every page, runs nothing and breaks out of nothing', async () => {
    const { body } = await listener.see(site.base);
    const paths = [
      ...new Set([...body.matchAll(new RegExp(`href="(${site.base}/[^"#?]+)"`, 'g'))].map(([, path]) => path ?? '')),
    ]
      .filter((path) => !path.includes('/~'))
      .slice(0, 12);
    expect(paths.length).toBeGreaterThan(7);
    const asked = [
      site.base,
      ...paths,
      ...XSS.flatMap((text) => [
        `${site.base}/~search?q=${encodeURIComponent(text)}`,
        `${site.base}/${encodeURIComponent(text)}`,
        `${site.base}?fallback=${encodeURIComponent(text)}`,
        `/${encodeURIComponent(text)}`,
      ]),
      `${site.base}/~search?q=T3`,
    ];
    for (const path of asked) {
      const seen = await listener.see(path, { Accept: 'text/html' });
      const policy = String(seen.headers['content-security-policy'] ?? '');
      const isPage = /^text\/html/.test(String(seen.headers['content-type']));
      expect([path, seen.status < 500, isPage ? faultsOf(seen.body, policy) : []]).toEqual([path, true, []]);
      if (isPage) expect([path, policy]).toEqual([path, expect.stringMatching(/default-src 'none'/)]);
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'|unsafe-eval/);
    }
    const data = await listener.see(`${site.base}/~search?q=T3`, { Accept: 'application/json' });
    expect([data.headers['content-type'], data.headers['x-content-type-options']]).toEqual([
      'application/json; charset=utf-8',
      'nosniff',
    ]);
  });

  it('stays in its line of what programs read, and in its element of XML', async () => {
    const map = await listener.see(`${site.base}/sitemap.xml`);
    expect(map.headers['content-type']).toMatch(/^application\/xml/);
    expect(
      map.body.match(/<(?!\/?(urlset|url|loc|lastmod)\b|\?xml)[^>]*>|&(?!amp;|lt;|gt;|quot;|apos;|#\d+;)/g),
    ).toBeNull();
    expect(map.body.match(/<loc>/g)?.length).toBeGreaterThan(7);
    const llms = (await listener.see(`${site.base}/llms.txt`)).body;
    // One heading for the site, at most one for each part of it, and links that each lead to a page of it.
    for (const each of llms.split('\n').filter((text) => text !== ''))
      expect(each).toMatch(new RegExp(`^(#{1,2} |- \\[.*\\]\\(${listener.origin}${site.base}/[\\w/-]+\\.md\\))`));
    for (const path of ['llms-full.txt', 'robots.txt', `${llms.match(/\/([\w-]+\.md)\)/)?.[1] ?? ''}`]) {
      const seen = await listener.see(`${site.base}/${path}`);
      expect([path, seen.status, seen.headers['x-content-type-options']]).toEqual([path, 200, 'nosniff']);
      expect([path, seen.headers['content-type']]).toEqual([
        path,
        expect.stringMatching(/^text\/(plain|markdown); charset=utf-8$/),
      ]);
    }
    expect(linksIn((await listener.see(`${site.base}/llms-full.txt`)).body)).toEqual([]);
  });

  it('is text in Markdown without links that run, and in a PDF without actions', async () => {
    const { api } = workspace.admin;
    interface Page {
      readonly id: string;
      readonly title: string;
      readonly markdown: string;
    }
    const { pages } = (await api.get<{ pages: Page[] }>(`/spaces/${space.id}/content/pages`)).body;
    for (const { id } of pages) {
      const { markdown = '' } = (
        await api.get<Page>(`/spaces/${space.id}/content/page/${id}`, { query: { format: 'markdown' } })
      ).body;
      expect(linksIn(markdown)).toEqual([]);
      // A title is words, whatever stands in it.
      expect(/^#? ?(.*)$/m.exec(markdown)?.[1] ?? '').not.toMatch(/(?<!\\)<[a-z/!]/i);
    }
    const { url } = (await api.get<{ url: string }>(`/spaces/${space.id}/pdf`)).body;
    await app.current.get(Jobs).drain();
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.subarray(0, 200).toString('latin1')).toMatch(/^%PDF-/);
    expect(bytes.toString('latin1')).not.toMatch(
      /\/(JavaScript|JS|Launch|SubmitForm|ImportData|GoToR|EmbeddedFile|RichMedia|OpenAction)\b/,
    );
    expect(bytes.toString('latin1')).not.toMatch(/\/URI\s*\((javascript|vbscript|data|file):/i);
    expect((await readPdf(bytes)).sheets.join(' ').replaceAll(' ', '')).toContain('<script>alert(1)</script>');
  });

  it('leaves no link that runs in a comment', async () => {
    const { api } = workspace.admin;
    for (const text of [...XSS, ...links.map((url) => `[a](<${url.replace(/[\n<>]/g, '')}>)`)]) {
      const made = await api.post<{ id: string }>(`/spaces/${space.id}/comments`, { body: { markdown: text } });
      if (made.status === 400) continue;
      const { markdown = '' } = (
        await api.get<{ body: { markdown?: string } }>(`/spaces/${space.id}/comments/${made.body.id}`, {
          query: { format: 'markdown' },
        })
      ).body.body;
      expect([text, markdown === '', linksIn(markdown)]).toEqual([text, false, []]);
    }
  });

  it('cannot add a header or a part to a letter', async () => {
    mail = await MailServer.start();
    Reflect.set(app.current.config, 'smtpUrl', mail.url);
    const organization = await buildOrganization(app.current);
    const { api } = organization.admin;
    const title = 'Acme\r\nBcc: evil@example.com\r\nContent-Type: text/html\r\n\r\n<script>';
    await api.patch(`/orgs/${organization.id}`, { title });
    await api.patch(`/users/${organization.admin.id}`, { displayName: 'Ada\r\nReply-To: evil@example.com' });
    const { status } = await api.post(`/orgs/${organization.id}/invites`, { emails: ['grace@example.com'] });
    expect(status).toBe(200);
    for (const email of [
      'grace@example.com\r\nRCPT TO:<evil@example.com>',
      'a@example.com, evil@example.com',
      '"a\r\nBcc: x"@example.com',
      'a@example.com\0',
    ])
      expect((await api.post(`/orgs/${organization.id}/invites`, { emails: [email] })).status).toBe(400);
    await app.current.get(Jobs).drain();
    expect(mail.letters.map(({ to }) => to)).toEqual(['grace@example.com']);
    const [head = '', ...rest] = (mail.letters[0]?.data ?? '').split('\n\n');
    const names = head
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((each) => each.split(':')[0]?.toLowerCase());
    expect(names.filter((name) => name === 'bcc' || name === 'reply-to')).toEqual([]);
    expect(names.filter((name) => name === 'content-type')).toEqual(['content-type']);
    expect([head, rest.length > 0]).toEqual([expect.stringMatching(/content-type: text\/plain; charset=utf-8/i), true]);
  });
});
afterAll(() => mail?.stop());

describe('3b-30 what is searched for', () => {
  const SIGNS = [
    `'`,
    `''`,
    `' OR 1=1 --`,
    `'; SELECT pg_sleep(10); --`,
    ':*',
    '&',
    '|',
    '!',
    '!!a',
    '<->',
    '<0>',
    '<99999999999>',
    '(',
    ')',
    '((((',
    `a:A`,
    `a:*B`,
    '\\',
    '\\\\',
    `\\'`,
    '%',
    '_',
    '%%%%',
    '$$',
    '$1',
    '?',
    '@@',
    '~',
    '~*',
    '"',
    '"""',
    '-',
    '--',
    '- -',
    '/*',
    '*/',
    '*',
    '**',
    '\u202e',
    '\u0301',
    'ก็',
    '文档',
    '🚀',
    'İ',
    'ﬃ',
    'ß',
    '\uFFFF',
    '[[:alpha:]]',
    '(?=a)',
    'or',
    'OR OR',
    'and not',
    'null',
    '{}',
    '1e400',
    '<script>',
  ];
  const SLOW = [
    '(a+)+$'.repeat(80),
    'a'.repeat(500),
    'a '.repeat(250),
    '"a" '.repeat(120),
    'a or '.repeat(100),
    '-a '.repeat(160),
    '%_'.repeat(250),
    'ab'.repeat(250),
    'a-b.c/d@e:f'.repeat(45),
    '文'.repeat(500),
    '\u0301'.repeat(500),
    `${'x'.repeat(250)} ${'y'.repeat(250)}`,
    'http://a.b/c?d='.repeat(33),
    '1.2.3.4.5.6.'.repeat(40),
    '(((('.repeat(120),
    '☃'.repeat(500),
  ];

  it('is answered whatever it is, wherever one can search, in little time', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const spaces: Space[] = [];
    for (const language of ['en', 'de', 'zh', 'ar', 'tr']) spaces.push(await buildSpace(workspace, language, language));
    for (const space of spaces)
      await space.write({
        operation: 'insert_page',
        title: 'Alpha',
        document: { markdown: `# Alpha\n\n${'Some words about aaaa abab and 文档. '.repeat(50)}` },
      });
    const site = await publish(workspace, spaces);
    const searches: Readonly<Record<string, (query: string) => Promise<{ status: number }>>> = {
      'a space': (query) => api.get(`/spaces/${spaces[0]?.id ?? ''}/search`, { query: { query } }),
      'a space in Chinese': (query) => api.get(`/spaces/${spaces[2]?.id ?? ''}/search`, { query: { query } }),
      'an organization': (query) => api.get(`/orgs/${workspace.id}/search`, { query: { query } }),
      'a site': (query) => api.post(`${site.path}/search`, { query, scope: { mode: 'all' } }),
      'a published site': (query) => listener.see(`${site.base}/~search?q=${encodeURIComponent(query)}`),
      'its titles': (query) => api.get(`/orgs/${workspace.id}/sites`, { query: { title: query } }),
      members: (query) => api.get(`/orgs/${workspace.id}/members`, { query: { search: query } }),
      redirects: (query) => api.get(`${site.path}/redirect`, { query: { source: `/${query}` } }),
    };
    const faults: string[] = [];
    for (const [at, [name, search]] of Object.entries(searches).entries()) {
      for (const [index, query] of [...SIGNS, ...SLOW].entries()) {
        // Each of the slow ones everywhere, of the others a share.
        if (index < SIGNS.length && (index + at) % 4 !== 0) continue;
        const begin = performance.now();
        const { status } = await search(query);
        const seconds = (performance.now() - begin) / 1000;
        if (![200, 400, 404].includes(status) || seconds > 5)
          faults.push(`${name}: ${query.slice(0, 60)}: ${status} in ${seconds} s`);
      }
    }
    expect(faults).toEqual([]);
    for (const query of ['x'.repeat(100_000), `' & | ! `.repeat(12_500), '(a+)+$ '.repeat(14_000)]) {
      expect([400, 413]).toContain((await searches['a site']?.(query))?.status);
      for (const name of ['a space', 'an organization', 'a published site'])
        expect([400, 414, 431]).toContain((await searches[name]?.(query).catch(() => ({ status: 431 })))?.status);
    }
  }, 60_000);

  it('is understood in each language without an error', async () => {
    const { database } = app.current;
    for (const language of Object.keys(LANGUAGES)) {
      for (const query of [`'`, ':*', '((', '文档 & | !', '<->']) {
        const rows = await database.query(`SELECT websearch_to_tsquery(search_config($1), $2)::text`, [
          language,
          query,
        ]);
        expect(rows).toHaveLength(1);
      }
    }
  });
});
