import type { Element } from 'hast';
import { LRUCache } from 'lru-cache';
import { CARD_SIZE } from '../../../../formats/cards/card.js';
import { htmlOf, rendered } from '../../../../kernel/common/html.js';
import { hashSource, type PagePolicy } from '../http-response.js';
import { fontOrigins } from '../domain/fonts.js';
import { themeSheet } from '../domain/theme.js';
import { directionOf, languagePackOf } from '../../../../formats/html/languages/language-packs.js';
import { HtmlBody, NONCE_MARK } from '../html-body.js';
import { element } from './elements.js';
import { emojiPicture } from './favicon.js';
import { footer } from './footer.js';
import { header, type ShownSearch } from './header.js';
import { shortcuts } from './shortcuts.js';
import { sidebar } from './sidebar.js';
import { structuredData } from './structured-data.js';
import type { PageShell, Head, NavigationEntry } from './view.js';

/**
 * Runs before the first paint, so that the layout does not shift: detects scripting, the colour scheme that the reader
 * chose, and whether they have dismissed the announcement.
 */
const FIRST_SCRIPT = `(d=>{d.classList.add('js');if(navigator.clipboard)d.classList.add('can-copy');let s;try{s=localStorage.getItem('theme:'+d.dataset.site)}catch{}if(s==='light'||s==='dark')d.dataset.theme=s;try{if(localStorage.getItem('announcement:'+d.dataset.site)===d.dataset.announcement)d.classList.add('quiet')}catch{}})(document.documentElement)`;

const FIRST_SCRIPT_SOURCE = hashSource(FIRST_SCRIPT);

/** The style sheets of sites with their hashes, by their settings: creating one takes a millisecond or two. */
const sheets = new LRUCache<string, { readonly text: string; readonly source: string }>({ max: 200 });

function sheetOf({
  settings: {
    styling,
    header: { preset, backgroundColor, linkColor },
  },
  codeThemes,
  base,
  fonts: { text: textFont, code: codeFont },
}: PageShell): { readonly text: string; readonly source: string } {
  const header = { preset, backgroundColor, linkColor };
  const key = JSON.stringify([styling, header, base]);
  const known = sheets.get(key);
  if (known) return known;
  const faces = (textFont?.faces ?? '') + (codeFont?.faces ?? '');
  const text = faces + themeSheet({ styling, header }, codeThemes);
  const made = { text, source: hashSource(text) };
  sheets.set(key, made);
  return made;
}

export interface DocumentParts {
  readonly frame: PageShell;
  readonly head: Head;
  /** Without it the page has no sidebar. */
  readonly navigation?: readonly NavigationEntry[];
  readonly main: readonly Element[];
  readonly search?: ShownSearch;
  /** Origins of images and files beside the site's own. */
  readonly fileOrigins: readonly string[];
  /** Sources to which the consoles of operations on the page send requests. */
  readonly apiSources?: readonly string[];
  /** Origins of the players on the page. */
  readonly players?: readonly string[];
}

/** A whole page of a site. */
export function pageDocument({
  frame,
  head,
  navigation,
  main,
  search,
  fileOrigins,
  players = [],
  apiSources = [],
}: DocumentParts): { readonly body: HtmlBody; readonly policy: PagePolicy } {
  const hasConsole = apiSources.length > 0;
  const { settings, language } = frame;
  const { styling, themes } = settings;
  const style = sheetOf(frame);
  const root = element(
    'html',
    {
      lang: language,
      dir: directionOf(language),
      dataTheme: themes.default,
      dataSite: frame.base,
      dataCopied: frame.words.copied,
      dataDiagrams: head.hasDiagrams === true ? frame.assets.diagrams : undefined,
      dataConsole: hasConsole ? frame.assets.console : undefined,
      dataConsoleTexts: hasConsole ? JSON.stringify(languagePackOf(language).console) : undefined,
      dataAnnouncement: frame.announcement?.key,
      className: [
        `theme-${styling.theme}`,
        `links-${styling.links}`,
        `corners-${styling.corners}`,
        `depth-${styling.depth}`,
      ],
    },
    [
      element('head', headElements(frame, head, style.text)),
      element('body', { className: navigation ? [] : ['no-sidebar'] }, [
        ...header(frame, search),
        element('div.frame', [navigation && sidebar(frame, navigation), ...main]),
        footer(frame),
        shortcuts(frame),
      ]),
    ],
  );
  const html = `<!doctype html>${htmlOf([root])}`;
  return {
    body: new HtmlBody(html),
    policy: {
      styles: [style.source],
      scripts: [FIRST_SCRIPT_SOURCE],
      fonts: [...new Set([...fontOrigins(styling.font), ...fontOrigins(styling.monospaceFont)])],
      files: fileOrigins,
      ...(hasConsole && { connected: apiSources }),
      framed: [...(head.hasDiagrams === true ? ["'self'"] : []), ...players],
    },
  };
}

function headElements(frame: PageShell, head: Head, style: string): (Element | false | undefined)[] {
  return [
    element('meta', { charSet: 'utf-8' }),
    // Elements with the nonce come first: the rest is the same for all responses.
    element('script', { nonce: NONCE_MARK, defer: true, src: frame.assets.script }),
    element('link', { nonce: NONCE_MARK, rel: 'stylesheet', href: frame.assets.style }),
    ...[frame.fonts.text, head.hasCode === true && frame.fonts.code].map(
      (font) =>
        font &&
        font.latin !== undefined &&
        element('link', {
          rel: 'preload',
          as: 'font',
          type: 'font/woff2',
          crossOrigin: 'anonymous',
          href: font.latin,
        }),
    ),
    element('style', [rendered(style)]),
    element('script', [rendered(FIRST_SCRIPT)]),
    ...describingElements(head, frame),
  ];
}

/** Metadata elements of the page. */
function describingElements(head: Head, frame: PageShell): (Element | false | undefined)[] {
  const { settings, siteTitle, language } = frame;
  const title = head.title === siteTitle ? siteTitle : `${head.title} | ${siteTitle}`;
  const given = head.image ?? settings.socialPreview.url;
  const image = given ?? head.card;
  return [
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', title),
    element('meta', {
      name: 'color-scheme',
      content: settings.themes.default === 'dark' ? 'dark light' : 'light dark',
    }),
    element('meta', { name: 'generator', content: 'Bindery' }),
    !head.isIndexed && element('meta', { name: 'robots', content: 'noindex' }),
    head.description !== undefined && element('meta', { name: 'description', content: head.description }),
    head.canonical !== undefined && element('link', { rel: 'canonical', href: head.canonical }),
    ...head.alternates.map(({ language: other, href }) => element('link', { rel: 'alternate', hrefLang: other, href })),
    head.markdown !== undefined && element('link', { rel: 'alternate', type: 'text/markdown', href: head.markdown }),
    ...(head.feeds ?? []).map((feed) => element('link', { rel: 'alternate', ...feed })),
    property('og:type', 'article'),
    ...(head.article
      ? [
          property('article:published_time', head.article.published.toISOString()),
          property('article:modified_time', head.article.modified.toISOString()),
        ]
      : []),
    property('og:site_name', siteTitle),
    property('og:title', head.title),
    property('og:locale', language.replace('-', '_')),
    head.description !== undefined && property('og:description', head.description),
    head.canonical !== undefined && property('og:url', head.canonical),
    ...(image === undefined
      ? []
      : [
          property('og:image', image),
          // The size of a picture elsewhere is not known.
          given === undefined && property('og:image:width', String(CARD_SIZE.width)),
          given === undefined && property('og:image:height', String(CARD_SIZE.height)),
          property('og:image:alt', title),
        ]),
    element('meta', { name: 'twitter:card', content: image === undefined ? 'summary' : 'summary_large_image' }),
    ...favicons(settings.favicon),
    // Search engines alone read it.
    head.article && head.isIndexed && structuredData(head, head.article, frame),
  ];
}

function property(name: string, content: string): Element {
  return element('meta', { property: name, content });
}

function favicons(favicon: PageShell['settings']['favicon']): Element[] {
  if ('icon' in favicon) {
    return [
      element('link', { rel: 'icon', href: favicon.icon.light, media: '(prefers-color-scheme: light)' }),
      element('link', { rel: 'icon', href: favicon.icon.dark, media: '(prefers-color-scheme: dark)' }),
    ];
  }
  const picture = encodeURIComponent(emojiPicture(favicon));
  return [element('link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${picture}` })];
}
