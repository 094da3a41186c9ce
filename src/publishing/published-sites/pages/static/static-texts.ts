import { Readable } from 'node:stream';
import { text as textOfStream } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../../kernel/common/addresses.js';
import { webAddress } from '../../../../kernel/common/web-address.js';
import { FileEndpoint } from '../../../../kernel/platform/storage/file-endpoint.js';
import { partOf } from '../agent-texts.js';
import { Discovery } from '../discovery.js';
import type { HttpResponse } from '../http-response.js';
import { TextBody } from '../text-body.js';
import { fileAddressesIn, withFileAddresses } from './domain/file-addresses.js';
import type { StaticTarget } from './static-target.js';
import { requestFor } from './static-request.js';

const LARGEST_ICON = 1024 ** 2;
const FEEDS = ['rss.xml', 'atom.xml'];

/** Writes the files by which programs find and read the pages of a static site. */
@Injectable()
export class StaticTexts {
  constructor(
    private readonly discovery: Discovery,
    private readonly endpoint: FileEndpoint,
    private readonly addresses: Addresses,
  ) {}

  /** Keeps the paths of all files that a site has for programs: no page takes them. */
  names({ site, folder }: StaticTarget): string[] {
    const parts = site.visit.rows.siteSpaces.map((row) => `${partOf(site, row)}/`);
    const texts = ['', ...new Set(parts)].flatMap((part) => [`${part}llms.txt`, `${part}llms-full.txt`]);
    const names = ['robots.txt', 'sitemap.xml', 'favicon.ico', ...FEEDS, ...texts];
    return names.filter((name) => folder.claim(name));
  }

  /** Writes those of the files that there are; the others are no files of the site. */
  async write(target: StaticTarget, names: readonly string[]): Promise<void> {
    for (const name of names) await this.writeOne(target, name);
    for (let number = 1; ; number++) {
      const name = `sitemap-${number}.xml`;
      if (!target.folder.claim(name) || !(await this.writeOne(target, name))) return;
    }
  }

  /** Writes the feed at an address of a site. */
  async feed(target: StaticTarget, address: string): Promise<void> {
    const name = address.slice(target.site.base.length + 1);
    const path = decodeURIComponent(name);
    if (FEEDS.some((feed) => path.endsWith(`/${feed}`)) && target.folder.claim(path)) await this.writeOne(target, path);
  }

  /** A text for programs with the addresses of the files as they are on the static site. */
  async withFiles({ site, files }: StaticTarget, text: string): Promise<string> {
    const found = await files.at(new Set(fileAddressesIn(text, 'text')));
    const whole = new Map([...found].map(([address, path]) => [address, site.origin + path]));
    return withFileAddresses(text, 'text', whole);
  }

  /** Tells whether there is such a file; a path that was kept for one that is not there is given back. */
  private async writeOne(target: StaticTarget, name: string): Promise<boolean> {
    const answer = await this.discovery.answer(target.site, requestFor(target.site, name));
    const content = answer && (name === 'favicon.ico' ? await this.icon(answer) : await textOf(answer));
    if (content === undefined) {
      target.folder.release(name);
      return false;
    }
    await target.folder.write(name, typeof content === 'string' ? await this.withFiles(target, content) : content);
    return true;
  }

  /** The picture of a site; those that are made of an emoji are in the pages. */
  private async icon({ headers }: HttpResponse): Promise<Buffer | undefined> {
    const location = headers['Location'];
    const url = typeof location === 'string' ? webAddress(location, this.addresses.public) : undefined;
    return url && this.endpoint.read(url, LARGEST_ICON).catch(() => undefined);
  }
}

async function textOf({ status, body }: HttpResponse): Promise<string | undefined> {
  if (status !== 200 || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof TextBody) return body.plain.toString();
  return body instanceof Readable ? textOfStream(body) : undefined;
}
