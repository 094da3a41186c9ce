import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { webAddress } from '../../../../kernel/common/web-address.js';
import type { FileEndpoint, OpenFile } from '../../../../kernel/platform/storage/file-endpoint.js';
import { encodedPath } from '../domain/location.js';
import { fileName, isDrawing } from './domain/static-paths.js';
import type { StaticFolder } from './static-folder.js';

/** The type of images that pages of files have in other widths: all browsers of today show it. */
const VARIANTS = 'image/webp';
/** Attempts at a variant that is still being made, which each wait for it for some seconds. */
const ATTEMPTS = 5;
const BETWEEN_ATTEMPTS = 2000;
/** Bytes of a vector graphic that is read to see what it does. */
const LARGEST_DRAWING = 8 * 1024 ** 2;

/** The uploaded files of a site that is written: each is written once, when a page first names it. */
export class StaticFiles {
  private readonly known = new Map<string, Promise<string | undefined>>();
  /** Sentences about files that are written under another name, or that readers do not get either. */
  readonly problems: string[] = [];
  private missing = 0;

  constructor(
    private readonly endpoint: FileEndpoint,
    private readonly folder: StaticFolder,
    private readonly base: string,
    private readonly origin: string,
  ) {}

  /** The number of files that were written or were there. */
  get count(): number {
    return this.known.size - this.missing;
  }

  /** The new addresses of those that lead to files of readers, by the old ones. */
  async at(addresses: Iterable<string>): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const address of addresses) {
      const place = this.known.get(address) ?? this.write(address);
      this.known.set(address, place);
      const path = await place;
      if (path !== undefined) found.set(address, `${this.base}/${encodedPath(path)}`);
    }
    return found;
  }

  /** The path of a file below the site, once it is written. */
  private async write(address: string): Promise<string | undefined> {
    const url = webAddress(address, this.origin);
    const found = url && (await this.open(url));
    if (!found) {
      this.missing++;
      this.problems.push(`${address}: readers get no such file`);
      return undefined;
    }
    const { id, file, body } = found;
    const name = fileName(file.name, await this.isDrawing(found));
    if (name.endsWith('.bin')) this.problems.push(`${file.name}: browsers might run it as a page, so it is ${name}`);
    const path = `~files/${id}/${file.hash.slice(0, 16)}/${name}`;
    // Two addresses may lead to the same bytes.
    if (this.folder.has(path) || !this.folder.claim(path)) return path;
    if (!(await this.folder.isThere(path, file.size))) await this.folder.write(path, await body());
    return path;
  }

  private async open(url: URL): Promise<OpenFile | undefined> {
    for (let attempt = 1; ; attempt++) {
      const found = await this.endpoint.open(url, VARIANTS);
      if (!found?.isProvisional || attempt === ATTEMPTS) return found;
      await setTimeout(BETWEEN_ATTEMPTS);
    }
  }

  private async isDrawing({ file, body }: OpenFile): Promise<boolean> {
    return /\.svg$/i.test(file.name) && file.size <= LARGEST_DRAWING && isDrawing(await text(await body()));
  }
}
