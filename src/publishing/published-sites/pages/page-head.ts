import { webAddress } from '../../../kernel/common/web-address.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { cardAddress } from './card-facts.js';
import { hasQuestions, questionsIn } from './domain/questions.js';
import { siteSpacePath } from './domain/site-paths.js';
import { shortTitle, type SpaceTree, type TreePage } from './domain/space-tree.js';
import { feedLinks, hasUpdates } from './feed-links.js';
import type { Head, Link, PageShell, PageView } from './layout/view.js';
import type { References } from './reference-lookup.js';
import { isListed, isOpenToAgents, type SitePlace } from './site-place.js';

interface HeadParts {
  readonly place: SitePlace;
  readonly frame: PageShell;
  readonly tree: SpaceTree;
  readonly page: TreePage;
  /** The document of the page, as JSON. */
  readonly document: string;
  readonly html: string;
  /** The first words of the page, where it has no description. */
  readonly words: string;
  readonly breadcrumbs: readonly Link[];
  readonly cover: PageView['cover'];
  readonly references: References;
  readonly address: string;
  /** The address of the page as Markdown. */
  readonly markdown: string;
  readonly translations: Head['alternates'];
}

interface MetaLinks {
  readonly canonical?: ContentRef;
  readonly alternates?: readonly ContentRef[];
}

const metaLinksOf = ({ item }: TreePage): MetaLinks => (item.props['metaLinks'] as MetaLinks | undefined) ?? {};

/** The references in the metadata of a page. */
export function metaRefsOf(page: TreePage): (ContentRef | undefined)[] {
  const { canonical, alternates = [] } = metaLinksOf(page);
  return [canonical, ...alternates];
}

/** Tells whether search engines may list a page, as far as its author says. */
export function isForRobots({ item, isHidden }: TreePage): boolean {
  return item.props['noRobotsIndex'] !== true && !isHidden;
}

/** The metadata of a page for programs. */
export function pageHead(parts: HeadParts): Head {
  const { place, frame, page, references, cover } = parts;
  const { visit, row, base, origin } = place;
  const { item } = page;
  const { canonical, alternates = [] } = metaLinksOf(page);
  const description = (item.props['description'] as string | undefined) ?? parts.words;
  return {
    title: item.title,
    ...(description !== '' && { description }),
    isIndexed: isListed(visit) && isForRobots(page),
    article: {
      published: item.createdAt,
      modified: item.updatedAt,
      breadcrumbs: parts.breadcrumbs,
      questions: hasQuestions(parts.tree, page) ? questionsIn(JSON.parse(parts.document) as Document) : [],
    },
    feeds: [
      ...feedLinks(frame.siteTitle, base, ''),
      ...(hasUpdates(parts.document)
        ? feedLinks(shortTitle(page), base + siteSpacePath(visit.rows, row), page.path)
        : []),
    ],
    canonical: (canonical && absolute(references.link(canonical).href, origin)) ?? parts.address,
    ...(isOpenToAgents(visit) && { markdown: parts.markdown }),
    alternates: [...parts.translations, ...elsewhere(alternates, place, references)],
    hasCode: parts.html.includes('<code'),
    hasDiagrams: parts.html.includes(' data-diagram='),
    ...(!visit.preview && { card: cardAddress(place, page) }),
    ...(cover && { image: absolute(cover.light.src, origin) ?? cover.light.src }),
  };
}

/** Places that the author of a page names as its other forms, in the language of their site space. */
function elsewhere(
  targets: readonly ContentRef[],
  { visit, row, origin }: SitePlace,
  references: References,
): { language?: string; href: string }[] {
  return targets.flatMap((ref) => {
    const href = absolute(references.link(ref).href, origin);
    const space = 'space' in ref ? ref.space : undefined;
    const language = visit.rows.siteSpaces.find(({ id }) => id === space && id !== row.id)?.language ?? undefined;
    return href === undefined ? [] : [{ href, ...(language !== undefined && { language }) }];
  });
}

function absolute(href: string | undefined, origin: string): string | undefined {
  return href === undefined ? undefined : webAddress(href, origin)?.href;
}
