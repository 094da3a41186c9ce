import { safeAddress } from '../../kernel/common/safe-address.js';
import { SpecificationParts, type SharedParts } from '../openapi/specification-parts.js';
import { isWrittenTarget } from '../document/link-target.js';
import type { ContentRef, Document } from '../document/types.js';
import type { FileFacts, ImageFacts, LinkFacts, ReferenceResolver } from './render-context.js';

/** Answers for references, as JSON. */
type Answers<Answer> = readonly (readonly [ref: string, answer: Answer])[];

/**
 * The references of a document as data that can be sent to a thread, where `referenceResolverOf` makes a resolver of
 * it.
 */
export interface ContentFacts extends Pick<
  ReferenceResolver,
  | 'origin'
  | 'search'
  | 'externalTarget'
  | 'iconStyle'
  | 'withoutAnchorLinks'
  | 'firstImage'
  | 'isWide'
  | 'hasConsole'
  | 'operations'
  | 'title'
  | 'labels'
> {
  readonly links: Answers<LinkFacts>;
  readonly images: Answers<ImageFacts>;
  readonly files: Answers<FileFacts>;
  /** Reusable contents as JSON. */
  readonly reusables: Answers<string>;
  readonly specifications: Answers<SharedParts>;
}

/** A resolver that finds nothing. */
export const EMPTY_RESOLVER: ReferenceResolver = {
  link: () => ({}),
  image: () => undefined,
  file: () => undefined,
  reusable: () => undefined,
  externalTarget: 'self',
  iconStyle: 'regular',
};

/** Collects the answers of a resolver for all references in a document and in its reusable contents. */
export function factsOf(references: readonly ContentRef[], resolver: ReferenceResolver): ContentFacts {
  const {
    origin,
    search,
    externalTarget,
    iconStyle,
    withoutAnchorLinks,
    firstImage,
    isWide,
    hasConsole,
    operations,
    title,
    labels,
  } = resolver;
  const wanted = [
    ...new Map(
      references
        .filter((ref) => ref.kind !== 'url' || isWrittenTarget(ref))
        .map((ref) => [JSON.stringify(ref), ref] as const),
    ),
  ];
  const answers = <Answer>(ask: (ref: ContentRef) => Answer | undefined): Answers<Answer> =>
    wanted.flatMap(([key, ref]) => {
      const answer = ask(ref);
      return answer === undefined ? [] : [[key, answer]];
    });
  return {
    links: answers((ref) => resolver.link(ref)),
    images: answers((ref) => (ref.kind === 'file' ? resolver.image(ref) : undefined)),
    files: answers((ref) => (ref.kind === 'file' ? resolver.file(ref) : undefined)),
    reusables: answers((ref) => (ref.kind === 'reusable-content' ? jsonOf(resolver.reusable(ref)) : undefined)),
    specifications: answers((ref) =>
      ref.kind === 'openapi' || ref.kind === 'file' ? resolver.specification?.(ref)?.shared : undefined,
    ),
    ...(origin !== undefined && { origin }),
    ...(search !== undefined && { search }),
    externalTarget,
    iconStyle,
    ...(withoutAnchorLinks === true && { withoutAnchorLinks }),
    ...(firstImage && { firstImage }),
    ...(isWide === true && { isWide }),
    ...(hasConsole === true && { hasConsole }),
    ...(operations && { operations }),
    ...(title !== undefined && { title }),
    ...(labels && { labels }),
  };
}

function jsonOf(document: Document | undefined): string | undefined {
  return document && JSON.stringify(document);
}

/** A resolver that answers from facts; addresses need none, unless they mean something of the space. */
export function referenceResolverOf({
  links,
  images,
  files,
  reusables,
  specifications,
  ...others
}: ContentFacts): ReferenceResolver {
  const [link, image, file] = [new Map(links), new Map(images), new Map(files)];
  const documents = new Map(reusables.map(([ref, json]) => [ref, JSON.parse(json) as Document]));
  const parts = new Map(specifications.map(([ref, shared]) => [ref, new SpecificationParts(shared)]));
  return {
    ...others,
    link: (ref) => link.get(JSON.stringify(ref)) ?? linkWithoutFacts(ref, others.origin),
    image: (ref) => (ref.kind === 'url' ? imageOfUrl(ref.url) : image.get(JSON.stringify(ref))),
    file: (ref) => file.get(JSON.stringify(ref)),
    reusable: (ref) => documents.get(JSON.stringify(ref)),
    specification: (ref) => parts.get(JSON.stringify(ref)),
  };
}

export function linkOfUrl(url: string, origin: string | undefined): LinkFacts {
  const href = safeAddress(url);
  return {
    title: url,
    ...(href !== undefined && {
      href,
      isExternal: /^https?:\/\//i.test(href) && (origin === undefined || !href.startsWith(`${origin}/`)),
    }),
  };
}

export function imageOfUrl(url: string): ImageFacts | undefined {
  const src = safeAddress(url, 'image');
  return src === undefined ? undefined : { src };
}

/** Markdown in a specification may refer to anchors of its own page, which are unknown before it is read. */
function linkWithoutFacts(ref: ContentRef, origin: string | undefined): LinkFacts {
  if (ref.kind === 'url') return linkOfUrl(ref.url, origin);
  return ref.kind === 'anchor' && ref.page === undefined && ref.space === undefined
    ? { href: `#${encodeURIComponent(ref.anchor)}`, title: ref.anchor }
    : {};
}
