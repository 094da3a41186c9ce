import type { ReaderNote } from '../../../../authoring/content/domain/reader-note.js';
import type { TagBody } from '../../../../authoring/content/content.schema.js';
import type { CustomizationSettings } from '../../../sites/customization.schema.js';
import type { CoverMask, CoverSize } from '../../../../formats/document/data-checks.js';
import type { CodeSurface } from '../domain/code-theme.js';
import type { SiteFont } from '../site-fonts.js';
import type { FrequentQuestion } from '../domain/questions.js';
import type { SocialLink } from '../domain/social.js';
import type { ImageFacts } from '../../../../formats/html/render-context.js';
import type { Words } from '../../../../formats/html/languages/language.js';

/** A link; without `href` it has no target that the visitor may see. */
export interface Link {
  readonly title: string;
  readonly href?: string;
  readonly isExternal?: boolean;
  /** True if the link is only for people: its target is created on request. */
  readonly isForPeople?: boolean;
}

export interface HeaderLink extends Link {
  readonly style: 'link' | 'button-primary' | 'button-secondary';
  readonly links: readonly Link[];
}

/** Something to do with a page beside reading it: a link, or a button that copies the page as Markdown. */
export type PageAction = Link | { readonly title: string; readonly copies: string };

/** A section of the site, a link elsewhere, or a group of them. */
export interface Tab {
  readonly title: string;
  readonly icon?: string;
  readonly isCurrent: boolean;
  readonly href?: string;
  readonly isExternal?: boolean;
  readonly description?: string;
  readonly tabs?: readonly Tab[];
}

/** One of the versions or languages of a section. */
export interface Variant {
  readonly title: string;
  readonly href: string;
  readonly language?: string;
  readonly isCurrent: boolean;
}

export interface Announcement {
  readonly message: string;
  readonly style: 'info' | 'warning' | 'danger' | 'success';
  readonly link?: Link;
  /** Changes with each message: a dismissed message stays hidden, the next one is shown. */
  readonly key: string;
}

/** The bar above the pages of a preview. */
export interface PreviewBar {
  readonly text: string;
  /** The way to the change request in the workspace. */
  readonly back: { readonly title: string; readonly href: string };
}

/** A social account of the site, and the places of its links. */
export interface SocialAccount extends SocialLink {
  readonly inHeader: boolean;
  readonly inFooter: boolean;
}

/** The common part of all pages of one site space. */
export interface PageShell {
  readonly settings: CustomizationSettings;
  readonly words: Words;
  readonly language: string;
  readonly siteTitle: string;
  /** The id of the shown site space. */
  readonly siteSpace: string;
  /** Path of the site, '' at the root of a host; and the address of its first page. */
  readonly base: string;
  readonly home: string;
  /** Scheme and host, as in `https://docs.example.com`. */
  readonly origin: string;
  readonly header: readonly HeaderLink[];
  readonly tabs: readonly Tab[];
  readonly variants: readonly Variant[];
  readonly footer: readonly { readonly title: string; readonly links: readonly Link[] }[];
  readonly social: readonly SocialAccount[];
  /** The themes for code in the settings. */
  readonly codeThemes: ReadonlyMap<string, CodeSurface>;
  readonly announcement?: Announcement;
  /** Set on previews of change requests, which have no search. */
  readonly preview?: PreviewBar;
  /** The address of the search; a site of files has a script that reads an index there. */
  readonly search: { readonly address: string } & Partial<{ readonly script: string; readonly integrity: string }>;
  /** `diagrams` is a page that draws them in a frame, if it was built. */
  readonly assets: {
    readonly style: string;
    readonly script: string;
    readonly console: string;
    readonly diagrams: string | undefined;
  };
  /** The fonts, if they are served. */
  readonly fonts: { readonly text: SiteFont | undefined; readonly code: SiteFont | undefined };
}

/** A page in the sidebar, or a number of omitted ones. */
export type NavigationEntry = ListedPage | { readonly kind: 'more'; readonly count: number; readonly href?: string };

export interface ListedPage {
  readonly kind: 'page' | 'group' | 'link';
  readonly title: string;
  readonly href?: string;
  readonly isExternal?: boolean;
  readonly icon?: string;
  readonly emoji?: string;
  readonly tag?: TagBody;
  readonly isCurrent: boolean;
  /** True for the current page and its ancestors. */
  readonly isOpen: boolean;
  readonly children: readonly NavigationEntry[];
  /** True if it has descendants that are not among `children`, because the space is large. */
  readonly hasMore: boolean;
}

/** The times of a page, and the pages above it from the outermost on. */
export interface ArticleFacts {
  readonly published: Date;
  readonly modified: Date;
  readonly breadcrumbs: readonly Link[];
  /** The questions that it answers, if it is a page of such. */
  readonly questions: readonly FrequentQuestion[];
}

/** The metadata of a page for programs. */
export interface Head {
  readonly title: string;
  readonly description?: string;
  readonly canonical?: string;
  /** The address of the page as Markdown. */
  readonly markdown?: string;
  /** The same page in other languages, or at other addresses. */
  readonly alternates: readonly { readonly language?: string; readonly href: string }[];
  readonly isIndexed: boolean;
  /** True if it contains code, so that the font of code is needed at once. */
  readonly hasCode?: boolean;
  /** True if it contains diagrams, which are drawn in a frame. */
  readonly hasDiagrams?: boolean;
  /** The picture that stands for the page where its site has set none: its cover. */
  readonly image?: string;
  /** The card of the page, which stands for it where neither is there. */
  readonly card?: string;
  /** Absent for pages of the service itself, such as the search. */
  readonly article?: ArticleFacts;
  readonly feeds?: readonly { readonly type: string; readonly title: string; readonly href: string }[];
}

/** The address that takes the feedback of readers, and the page that it is about. */
export interface FeedbackTarget {
  readonly action: string;
  readonly page: string;
}

/** The content of a page beside its shell. */
export interface PageView {
  readonly title: string;
  /** The title with its formatting, if it has any. */
  readonly heading?: { readonly html: string; readonly id?: string };
  readonly icon?: string;
  readonly emoji?: string;
  readonly description?: string;
  readonly breadcrumbs: readonly Link[];
  readonly tags: readonly TagBody[];
  readonly cover?: {
    readonly light: ImageFacts;
    readonly dark?: ImageFacts;
    readonly alt: string;
    readonly size: CoverSize;
    readonly mask: CoverMask;
    readonly yPos: number;
    readonly height?: number;
  };
  readonly content: string;
  readonly outline: readonly { readonly id: string; readonly title: string; readonly level: 1 | 2 | 3 }[];
  readonly layout: {
    readonly width: string;
    readonly title: boolean;
    readonly description: boolean;
    readonly tableOfContents: boolean;
    readonly outline: boolean;
    readonly pagination: boolean;
    readonly metadata: boolean;
  };
  readonly previous?: Link;
  readonly next?: Link;
  readonly updatedAt: Date;
  /** The page is a translation that people have not reviewed in full. */
  readonly note?: ReaderNote;
  /** Who answers for the page, until when. */
  readonly verification?: { readonly owner: string; readonly until: Date };
  /** The first one is the main one. */
  readonly actions: readonly PageAction[];
  readonly feedback?: FeedbackTarget & { readonly position: 'top' | 'bottom' };
}
