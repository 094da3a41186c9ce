import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { h } from 'hastscript';
import { Addresses } from './kernel/common/addresses.js';
import { standalonePage, standalonePagePolicy } from './kernel/platform/http/standalone-page.js';
import { VERSION } from './version.js';

type Links = Readonly<Record<'app' | 'docs' | 'openapi' | 'api' | 'sites' | 'health', string>>;

/** Serves the root of the API listener: the name of the service and its addresses, as JSON or as a page for people. */
export function serveRoot(app: NestExpressApplication): void {
  const addresses = app.get(Addresses);
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (request: Request, response: Response) => {
      const urls: Links = {
        app: addresses.app('/'),
        docs: `${addresses.api}/docs`,
        openapi: `${addresses.api}/openapi.json`,
        api: addresses.location('/'),
        sites: `${addresses.public}/`,
        health: `${addresses.api}/readyz`,
      };
      response.set({ Vary: 'Accept', 'Cache-Control': 'no-cache' });
      if (request.accepts(['json', 'html']) !== 'html')
        return response.json({ name: 'Bindery', version: VERSION, urls });
      return response.set('Content-Security-Policy', standalonePagePolicy("'none'")).type('html').send(page(urls));
    });
}

function page(urls: Links): string {
  const entries: readonly (readonly [name: string, address: string, about: string])[] = [
    ['The workspace', urls.app, 'people write and review there'],
    ['Published sites', urls.sites, 'readers see them'],
    ['The interface', urls.docs, 'all operations, to be tried out'],
    ['Its OpenAPI document', urls.openapi, 'for clients and generators'],
  ];
  return standalonePage('Bindery', [
    h('p', `Documentation of organizations: spaces, change requests and published sites. Version ${VERSION}.`),
    h(
      'ul',
      entries.map(([name, href, about]) => h('li', [h('a', { href }, name), `: ${about}`])),
    ),
  ]);
}
