import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { buildSpace, publish, usePublicListener } from '../published-site.js';
import { accessibilityFaults, describeInBrowser } from './browser.js';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Its number is more exact than those of JavaScript. */
const RAW_ANSWER = '{"name":"Rex <b>, \\"a: [1]","tags":[],"id":12345678901234567890}';

/** An API with its authorization server: it answers pages of other origins, except below `/closed`. */
class ToyApi {
  readonly received: Received[] = [];
  private readonly server: Server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { method = '', url = '', headers } = request;
      const isOpen = !url.startsWith('/closed');
      if (isOpen)
        response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Expose-Headers', 'X-Total');
      if (method === 'OPTIONS')
        return response.setHeader('Access-Control-Allow-Headers', '*, Authorization').writeHead(204).end();
      this.received.push({ method, url, headers, body });
      const { pathname, searchParams } = new URL(url, 'http://toy');
      if (pathname === '/authorize') {
        this.challenge = searchParams.get('code_challenge') ?? '';
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'c0de');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        return response.writeHead(302, { Location: back.href }).end();
      }
      response.setHeader('Content-Type', 'application/json');
      if (pathname === '/token') {
        await this.held;
        const given = new URLSearchParams(body);
        const proof = createHash('sha256')
          .update(given.get('code_verifier') ?? '')
          .digest('base64url');
        const isGood = given.get('code') === 'c0de' && proof === this.challenge;
        return response.writeHead(isGood ? 200 : 400).end(JSON.stringify(isGood ? { access_token: 'signed-in' } : {}));
      }
      response
        .setHeader('X-Total', '7')
        .setHeader('Content-Type', pathname === '/photos' ? 'text/html' : 'application/json')
        .writeHead(201)
        .end(RAW_ANSWER);
    });
  });
  private challenge = '';
  /** Tokens are given after it. */
  held: Promise<void> | undefined;

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const app = useApp();
const listener = usePublicListener(app);

describeInBrowser('the console of an operation', (browsing) => {
  const toy = new ToyApi();
  let origin = '';
  let url = '';

  beforeAll(async () => {
    origin = await toy.listen();
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'API', 'en');
    await space.write(
      {
        operation: 'insert_files',
        files: [
          {
            name: 'pets.json',
            contentType: 'application/json',
            base64: Buffer.from(JSON.stringify(specification(origin))).toString('base64'),
          },
        ],
      },
      {
        operation: 'insert_page',
        type: 'computed',
        title: 'Reference',
        computed: {
          type: 'builtin:openapi',
          props: { models: false },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
        },
      },
    );
    const site = await publish(workspace, [space]);
    url = `${listener.origin}${site.base}/operations`;
  }, 300_000);

  afterAll(() => toy.close());

  const open = async (page: Page, operation: string) => {
    await page.goto(`${url}/${operation}`);
    await page.getByRole('button', { name: 'Try it' }).click();
    return page.locator('.console');
  };
  const last = (): Received => toy.received.at(-1) as Received;

  it('sends what the reader gives to the server of the specification alone, and shows its answer', async () => {
    const { page, faults } = await browsing.open();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${url}/add-pet`);
    const policy = (await listener.see(new URL(`${url}/add-pet`).pathname)).headers['content-security-policy'];
    expect(policy).toContain(`connect-src 'self' ${origin} ${origin.replace('127.0.0.1', 'localhost')};`);
    expect(requests.filter((address) => address.includes('console.js'))).toEqual([]);
    const console = await open(page, 'add-pet');
    expect(await console.getByLabel('owner *').inputValue()).toBe('ann');
    expect(JSON.parse(await console.getByLabel('application/json').inputValue())).toEqual({ name: 'Rex' });
    await console.getByLabel('owner *').fill('');
    await console.getByRole('button', { name: 'Send' }).click();
    await console.getByText('owner is missing.').waitFor();
    expect(toy.received).toEqual([]);
    await console.getByLabel('owner *').fill('a/b c');
    await console.getByLabel('tag').fill('x\ny');
    await console.getByLabel('X-Key').fill('s3cret');
    await console.getByRole('button', { name: 'Send' }).click();
    await console.getByText('201').waitFor();
    expect(last()).toMatchObject({ method: 'POST', url: '/v1/owners/a%2Fb%20c/pets?tag=x&tag=y' });
    expect(JSON.parse(last().body)).toEqual({ name: 'Rex' });
    expect([last().headers['x-key'], last().headers.cookie, last().headers.referer]).toEqual([
      's3cret',
      undefined,
      undefined,
    ]);
    expect(await console.locator('.console-answer > pre').innerText()).toBe(
      '{\n  "name": "Rex <b>, \\"a: [1]",\n  "tags": [],\n  "id": 12345678901234567890\n}',
    );
    await console.getByText('Headers').click();
    expect(await console.locator('details pre').innerText()).toContain('x-total: 7');
    for (const look of ['light', 'dark']) {
      expect(await accessibilityFaults(page)).toEqual([]);
      await browsing.take(page, `console-${look}`);
      await page.locator('.theme-toggle').first().click();
    }
    await console.getByLabel('application/json').fill('{');
    await console.getByRole('button', { name: 'Send' }).click();
    await console.getByText('application/json is no valid JSON.').waitFor();
    // Secrets stay for other operations of the same server, in this tab, and for no other server.
    const again = await open(page, 'add-pet');
    expect(await again.getByLabel('X-Key').inputValue()).toBe('s3cret');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('s3cret');
    await again.getByLabel('Server').selectOption({ index: 1 });
    expect(await again.getByLabel('X-Key').inputValue()).toBe('');
    expect(requests.filter((address) => !address.startsWith(listener.origin) && !address.startsWith(origin))).toEqual(
      [],
    );
    expect(faults).toEqual([]);
  });

  it('sends files, and signs the reader in', async () => {
    const { page, faults } = await browsing.open();
    const console = await open(page, 'upload');
    await console
      .getByLabel('photo *')
      .setInputFiles({ name: 'rex.txt', mimeType: 'text/plain', buffer: Buffer.from('woof') });
    await console.getByLabel('note').fill('good');
    await console.getByLabel('Client ID').fill('me');
    await console.getByRole('button', { name: 'Sign in' }).click();
    await console.getByText('✓').waitFor();
    expect(await console.getByLabel('Access token').inputValue()).toBe('signed-in');
    await console.getByRole('button', { name: 'Send' }).click();
    await console.getByText('201').waitFor();
    expect(last().headers.authorization).toBe('Bearer signed-in');
    expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(last().body).toMatch(/name="photo"; filename="rex.txt"[^]*woof[^]*name="note"[^]*good/);
    const downloading = page.waitForEvent('download');
    await console.getByText('Save the body').click();
    expect((await downloading).suggestedFilename()).not.toMatch(/html/);
    expect(faults).toEqual([]);
  });

  it('keeps a token for the server that it was asked for, and the secret of a client for its token address', async () => {
    const { page } = await browsing.open();
    const console = await open(page, 'upload');
    const [login, token] = ['Client secret', 'Access token'].map((label) => console.getByLabel(label));
    await login?.fill('of-the-client');
    let release = () => {};
    toy.held = new Promise((resolve) => (release = resolve));
    const asked = page.waitForRequest(`${origin}/token`);
    await console.getByRole('button', { name: 'Sign in' }).click();
    await asked;
    await console.getByLabel('Server').selectOption({ index: 1 });
    release();
    await console.getByText('✓').waitFor();
    expect(await token?.inputValue()).toBe('');
    await console.getByLabel('Server').selectOption({ index: 0 });
    expect(await token?.inputValue()).toBe('signed-in');
    expect(await login?.inputValue()).toBe('of-the-client');
    const stored = await page.evaluate<[string, string][]>('Object.entries(sessionStorage)');
    const withSecret = stored.filter(([, value]) => value.includes('of-the-client')).map(([key]) => key);
    expect(withSecret).toEqual([expect.stringContaining(`${origin}/token`)]);
  });

  it('says when an API answers no page of other origins, fits a telephone, and is left out where it should be', async () => {
    const { page } = await browsing.open({ viewport: { width: 380, height: 800 } });
    const console = await open(page, 'closed');
    await console.getByRole('button', { name: 'Send' }).click();
    await console.getByText(`does not allow requests from ${listener.origin} (CORS)`).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await browsing.take(page, 'console-phone');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Try it' }).press('Enter');
    expect(await console.isVisible()).toBe(false);
    const hidden = await listener.see(new URL(`${url}/quiet`).pathname);
    expect(hidden.body).not.toContain('api-try');
    expect(hidden.headers['content-security-policy']).toContain("connect-src 'self';");
    const without = await browsing.open({ javaScriptEnabled: false });
    await without.page.goto(`${url}/closed`);
    expect(await without.page.locator('.api-try').isVisible()).toBe(false);
  });
});

const specification = (origin: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    { url: `${origin}/{version}`, variables: { version: { default: 'v1', enum: ['v1', 'v2'] } } },
    { url: origin.replace('127.0.0.1', 'localhost') },
  ],
  paths: {
    '/owners/{owner}/pets': {
      post: {
        operationId: 'addPet',
        security: [{ key: [] }],
        parameters: [
          { name: 'owner', in: 'path', required: true, example: 'ann', schema: { type: 'string' } },
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object' }, example: { name: 'Rex' } } },
        },
        responses: { '201': { description: 'Added' } },
      },
    },
    '/photos': {
      post: {
        operationId: 'upload',
        servers: [{ url: origin }, { url: origin.replace('127.0.0.1', 'localhost') }],
        security: [{ login: ['write'] }],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['photo'],
                properties: { photo: { type: 'string', format: 'binary' }, note: { type: 'string' } },
              },
            },
          },
        },
        responses: { '201': { description: 'Added' } },
      },
    },
    '/closed': {
      get: { operationId: 'closed', servers: [{ url: origin }], responses: { '200': { description: 'No' } } },
    },
    '/quiet': { get: { operationId: 'quiet', 'x-hideTryItPanel': true, responses: { '200': { description: 'Yes' } } } },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: `${origin}/authorize`,
            tokenUrl: `${origin}/token`,
            scopes: { write: 'Write' },
          },
        },
      },
    },
  },
});
