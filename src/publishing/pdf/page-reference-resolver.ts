import { buffer } from 'node:stream/consumers';
import type { ContentRef, Document } from '../../formats/document/types.js';
import type { Item, ItemKey } from '../../authoring/content/domain/content-item.js';
import type { RelativeTargets } from '../../authoring/content/relative-links.js';
import type { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import type { SignedFile } from '../../kernel/platform/storage/file-urls.js';
import type { PdfLinkTarget, Picture } from '../../formats/pdf/layout/canvas.js';
import type { ResolvedReference, PdfReferenceResolver } from '../../formats/pdf/layout/layout-context.js';
import { isWebAddress } from '../../kernel/common/web-address.js';

const MAX_ADDRESS = 2048;

/** The link target of an address: only addresses that browsers open as a page or a mail, all others stay text. */
export function targetOfUrl(url: string): PdfLinkTarget | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(url) || !isWebAddress(url)) return undefined;
  const { href } = new URL(url);
  return href.length <= MAX_ADDRESS ? { url: href } : undefined;
}

export function referenceOfUrl(url: string): ResolvedReference {
  return withTarget(url, targetOfUrl(url));
}

/** A page that is not in a PDF, and its address if it has one. */
export interface Elsewhere {
  readonly title: string;
  readonly url?: string;
}

interface Facts {
  readonly spaceId: string;
  /** The page itself. */
  readonly page: string;
  /** The pages of this PDF. */
  readonly chapters: ReadonlyMap<string, Item>;
  readonly items: ReadonlyMap<ItemKey, Item>;
  /** Relative links that were kept as they were written, from the folder of the page. */
  readonly relative: RelativeTargets;
  readonly directory: string;
  /** A page of the space that is not in this PDF; undefined if the audience of the PDF may not see it. */
  readonly elsewhere: (id: string) => Elsewhere | undefined;
  readonly reusables: ReadonlyMap<string, Document>;
  readonly names: ReadonlyMap<string, string>;
  readonly fileAddress: (file: SignedFile) => string;
  /** Address of a place in the application; undefined for readers without access to it. */
  readonly appAddress: (path: string) => string | undefined;
  readonly storage: FileStorage;
}

/** Resolves the references of a page of a space, in a PDF. Other spaces are not read: links lead to their addresses. */
export class PageReferenceResolver implements PdfReferenceResolver {
  constructor(private readonly facts: Facts) {}

  reference(written: ContentRef): ResolvedReference {
    const ref = this.facts.relative.of(written, this.facts.directory);
    const found = ref ? this.resolved(ref) : {};
    // A relative link to a page that readers may not see looks like one that leads nowhere.
    return written.kind === 'url' && !found.target ? { title: written.url } : found;
  }

  private resolved(ref: ContentRef): ResolvedReference {
    switch (ref.kind) {
      case 'url':
        return referenceOfUrl(ref.url);
      case 'page':
      case 'anchor':
        return this.page(ref);
      case 'file': {
        const file = this.own(ref) ? this.facts.items.get(`file:${ref.file}`) : undefined;
        return file
          ? withTarget(file.title, {
              url: this.facts.fileAddress({ id: file.id, name: file.title, hash: file.hash ?? '' }),
            })
          : {};
      }
      case 'user': {
        const title = this.facts.names.get(ref.user);
        return title === undefined ? {} : { title };
      }
      case 'space':
        return withTarget(undefined, this.inApp(`/s/${ref.space}`));
      case 'collection':
        return withTarget(undefined, this.inApp(`/c/${ref.collection}`));
      case 'openapi':
        return { title: ref.spec };
      default:
        return {};
    }
  }

  picture(ref: ContentRef): Picture | undefined {
    const file = ref.kind === 'file' && this.own(ref) ? this.facts.items.get(`file:${ref.file}`) : undefined;
    const hash = file?.hash ?? undefined;
    if (!file || hash === undefined) return undefined;
    const { contentType, size, width, height } = file.props as {
      contentType: string;
      size: number;
      width?: number;
      height?: number;
    };
    return {
      name: file.title,
      hash,
      contentType,
      bytes: size,
      width,
      height,
      load: async () => buffer(await this.facts.storage.get(hash)),
    };
  }

  reusable(ref: Extract<ContentRef, { kind: 'reusable-content' }>): Document | undefined {
    return this.own(ref) ? this.facts.reusables.get(ref.reusableContent) : undefined;
  }

  private page(ref: Extract<ContentRef, { kind: 'page' | 'anchor' }>): ResolvedReference {
    const id = ref.page ?? this.facts.page;
    const anchor = ref.kind === 'anchor' ? `#${ref.anchor}` : '';
    if (!this.own(ref)) return withTarget(undefined, this.inApp(`/s/${ref.space ?? ''}/p/${id}${encodeURI(anchor)}`));
    const chapter = this.facts.chapters.get(id);
    if (chapter) return withTarget(chapter.title, { place: `${id}${anchor}` });
    const elsewhere = this.facts.elsewhere(id);
    if (!elsewhere) return {};
    const { title, url } = elsewhere;
    return withTarget(title, url === undefined ? undefined : { url: `${url}${encodeURI(anchor)}` });
  }

  private inApp(path: string): PdfLinkTarget | undefined {
    const url = this.facts.appAddress(path);
    return url === undefined ? undefined : { url };
  }

  private own(ref: ContentRef): boolean {
    return !('space' in ref) || ref.space === undefined || ref.space === this.facts.spaceId;
  }
}

function withTarget(title: string | undefined, target: PdfLinkTarget | undefined): ResolvedReference {
  return { ...(title !== undefined && { title }), ...(target && { target }) };
}
