import { Injectable } from '@nestjs/common';
import { decodedPath } from '../domain/location.js';
import { DiagramFiles } from '../diagram-files.js';
import { hashSource, type HttpResponse } from '../http-response.js';
import { SiteAssets } from '../site-assets.js';
import { SiteFonts } from '../site-fonts.js';
import { StaticSearchScript } from './static-search-script.js';
import type { StaticTarget } from './static-target.js';

/** Writes the style sheet, scripts and fonts of a static site, and what draws diagrams on it. */
@Injectable()
export class StaticAssets {
  constructor(
    private readonly assets: SiteAssets,
    private readonly fonts: SiteFonts,
    private readonly diagrams: DiagramFiles,
    private readonly search: StaticSearchScript,
  ) {}

  /** The hash of the script of all pages, as browsers check it. */
  async integrity(base: string): Promise<string> {
    const { body } = (await this.assets.answer(this.assets.address(base, 'site.js'))) ?? {};
    if (!Buffer.isBuffer(body)) throw new Error('the script of published pages is missing');
    return hashSource(body.toString()).slice(1, -1);
  }

  /** Writes those of some addresses of a page that are not written yet; addresses of something else are left. */
  async write(target: StaticTarget, addresses: Iterable<string>): Promise<void> {
    const { base } = target.site;
    for (const address of addresses) {
      if (!address.startsWith(`${base}/~assets/`)) continue;
      const isFrame = address === this.diagrams.address(base);
      for (const each of isFrame ? this.diagrams.addresses(base) : [address]) await this.writeOne(target, each);
    }
  }

  private async writeOne({ site: { base }, folder }: StaticTarget, address: string): Promise<void> {
    const path = decodedPath(address.slice(base.length + 1));
    if (path === undefined || folder.has(path) || !folder.claim(path)) return;
    if (await folder.isThere(path)) return;
    const body =
      address === this.search.at(base).script
        ? this.search.bytes
        : withPolicy((await this.assets.answer(address)) ?? (await this.fonts.answer(address)));
    if (!Buffer.isBuffer(body)) throw new Error(`nothing is served at ${address}`);
    await folder.write(path, body);
  }
}

/** The frame of diagrams says its policy itself; its sandbox is that of the element that holds it. */
function withPolicy(answer: HttpResponse | undefined): HttpResponse['body'] {
  const policy = answer?.headers['Content-Security-Policy'];
  if (typeof policy !== 'string' || !Buffer.isBuffer(answer?.body)) return answer?.body;
  const directives = policy.split('; ').filter((directive) => !directive.startsWith('sandbox'));
  const element = `<meta http-equiv="Content-Security-Policy" content="${directives.join('; ')}">`;
  return Buffer.from(answer.body.toString().replace(/<meta charset="utf-8"\s*\/?>/i, (charset) => charset + element));
}
