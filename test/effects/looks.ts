import { iconElement } from '../../src/formats/html/icons.js';
import type { IconStyle } from '../../src/formats/html/render-context.js';
import { htmlOf } from '../../src/kernel/common/html.js';

/** A change of the customization, and what a page has with it only, or without it only. */
export interface Look {
  /** The settings by their paths. */
  readonly of: string;
  readonly settings: object;
  readonly shows?: readonly RegExp[];
  readonly hides?: readonly RegExp[];
}

/** The icon of the first page as a style draws it. */
const bell = (style: IconStyle): RegExp =>
  new RegExp(htmlOf([iconElement('bell', style)]).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
const COLOURS = { light: '#aa1122', dark: '#bb3344' };
const PICTURES = { light: 'https://pictures.example/light.png', dark: 'https://pictures.example/dark.png' };
const ELSEWHERE = { kind: 'url', url: 'https://elsewhere.example/there' };
const FONT = {
  id: 'acme',
  custom: true,
  fontFamily: 'Acme',
  fontFaces: [{ weight: 450, sources: [{ url: 'https://fonts.example/acme.woff', format: 'woff' }] }],
};
const FACE =
  /@font-face\{font-family:"Acme";font-weight:450;font-display:swap;src:url\("https:\/\/fonts\.example\/acme\.woff"\) format\("woff"\)\}/;
const link = (title: string): object => ({ title, to: ELSEWHERE });
const anchor = (title: string, attributes = ''): RegExp =>
  new RegExp(`<a href="https://elsewhere\\.example/there"[^>]*${attributes}[^>]*>(?:<[^>]*>)*${title}<`);
const pictures = (attributes: string): RegExp[] => [
  new RegExp(`<img class="on-light" src="https://pictures\\.example/light\\.png"[^>]*${attributes}`),
  new RegExp(`<img class="on-dark" src="https://pictures\\.example/dark\\.png"[^>]*${attributes}`),
];

/** Settings that a site space may have for itself as well. */
export const LOOKS: readonly Look[] = [
  { of: 'title', settings: { title: 'Another name' }, shows: [/<title>First \| Another name</] },
  ...['muted', 'bold', 'gradient'].map((theme) => ({
    of: 'styling.theme',
    settings: { styling: { theme } },
    shows: [new RegExp(`class="theme-${theme} `)],
  })),
  {
    of: 'styling.primaryColor.{light,dark}',
    settings: { styling: { primaryColor: COLOURS } },
    shows: [/--primary:#aa1122/, /--primary:#bb3344/],
  },
  {
    of: 'styling.tint.color.{light,dark}',
    settings: { styling: { tint: { color: COLOURS } } },
    shows: [/--tint:#aa1122/, /--tint:#bb3344/],
  },
  ...(['info', 'success', 'warning', 'danger'] as const).map((name) => ({
    of: `styling.${name}Color.{light,dark}`,
    settings: { styling: { [`${name}Color`]: COLOURS } },
    shows: [new RegExp(`--${name}:#aa1122`), new RegExp(`data-theme=dark.*--${name}:#e3646d`)],
  })),
  { of: 'styling.corners', settings: { styling: { corners: 'straight' } }, shows: [/--radius:0;/, /corners-straight/] },
  { of: 'styling.corners', settings: { styling: { corners: 'circular' } }, shows: [/--radius:1rem;/] },
  { of: 'styling.depth', settings: { styling: { depth: 'flat' } }, shows: [/--shadow:none;/] },
  { of: 'styling.links', settings: { styling: { links: 'accent' } }, shows: [/class="[^"]*links-accent/] },
  {
    of: 'styling.background',
    settings: { styling: { background: 'match', tint: { color: COLOURS } } },
    shows: [/--bg:#faf2f2/],
  },
  ...(['solid', 'duotone', 'light', 'thin'] as const).map((icons) => ({
    of: 'styling.icons',
    settings: { styling: { icons } },
    shows: [bell(icons)],
    hides: [bell('regular')],
  })),
  { of: 'styling.search', settings: { styling: { search: 'subtle' } }, shows: [/data-search="subtle"/] },
  {
    of: 'styling.codeTheme.{default,openapi}.{light,dark}',
    settings: {
      styling: {
        codeTheme: {
          default: { light: 'dracula', dark: 'nord' },
          openapi: { light: 'github-light', dark: 'monokai' },
        },
      },
    },
    shows: [
      /\[data-theme=light\] \.content \.code:not\(\.api \*\)\{[^}]*--code-bg:#282a36/,
      /\[data-theme=dark\] \.content \.code:not\(\.api \*\)\{[^}]*--code-bg:#2e3440/,
      /\[data-theme=light\] \.content \.api \.code\{/,
      /\[data-theme=dark\] \.content \.api \.code\{[^}]*--code-bg:#272822/,
    ],
  },
  {
    of: 'styling.sidebar.background',
    settings: { styling: { sidebar: { background: 'filled' } } },
    shows: [/class="sidebar" data-fill="filled"/],
  },
  { of: 'styling.sidebar.list', settings: { styling: { sidebar: { list: 'pill' } } }, shows: [/data-list="pill"/] },
  {
    of: 'internationalization.locale',
    settings: { internationalization: { locale: 'fr' } },
    shows: [/<html lang="fr"/, /Aller au contenu/],
  },
  {
    of: 'favicon.icon.{light,dark}',
    settings: { favicon: { icon: PICTURES } },
    shows: [
      /<link rel="icon" href="https:\/\/pictures\.example\/light\.png" media="\(prefers-color-scheme: light\)">/,
      /<link rel="icon" href="https:\/\/pictures\.example\/dark\.png" media="\(prefers-color-scheme: dark\)">/,
    ],
  },
  { of: 'favicon.emoji', settings: { favicon: { emoji: '1f4d8' } }, shows: [/<link rel="icon"[^>]*%F0%9F%93%98/] },
  { of: 'header.preset', settings: { header: { preset: 'bold' } }, shows: [/--bar-bg:#346ddb/] },
  {
    of: 'header.{backgroundColor,linkColor}.{light,dark}',
    settings: {
      header: { preset: 'custom', backgroundColor: COLOURS, linkColor: { light: '#ffff00', dark: '#00ffff' } },
    },
    shows: [/--bar-bg:#aa1122;--bar-text:#ffff00/, /--bar-bg:#bb3344;--bar-text:#00ffff/],
  },
  {
    of: 'header.logo.{light,dark}',
    settings: { header: { logo: PICTURES } },
    shows: pictures('height='),
    hides: [/<span class="brand-title">/],
  },
  {
    of: 'header.primaryLink',
    settings: { header: { primaryLink: ELSEWHERE } },
    shows: [/<a class="brand" href="https:\/\/elsewhere\.example\/there"/],
  },
  {
    of: 'header.links.{title,style,to}',
    settings: { header: { links: [{ ...link('Top'), style: 'button-primary', links: [] }] } },
    shows: [anchor('Top', 'button-primary')],
  },
  {
    of: 'header.links.links.{title,to}',
    settings: { header: { links: [{ title: 'Menu', to: null, links: [link('Below')] }] } },
    shows: [/<summary class="header-link">Menu/, anchor('Below')],
  },
  { of: 'footer.logo.{light,dark}', settings: { footer: { logo: PICTURES } }, shows: pictures('loading="lazy"') },
  {
    of: 'footer.groups.{title,links.title,links.to}',
    settings: { footer: { groups: [{ title: 'Group', links: [link('Listed')] }] } },
    shows: [/<p class="footer-title">Group</, anchor('Listed')],
  },
  {
    of: 'footer.copyright',
    settings: { footer: { copyright: 'All rights' } },
    shows: [/class="footer-line">.*All rights/],
  },
  {
    of: 'announcement.{enabled,message,style,link.title,link.to}',
    settings: { announcement: { enabled: true, message: 'Hear this', style: 'danger', link: link('More') } },
    shows: [/<div class="announcement" data-style="danger"[^>]*>(?:<[^>]*>)*Hear this/, anchor('More')],
  },
  { of: 'themes.default', settings: { themes: { default: 'dark' } }, shows: [/data-theme="dark"/] },
  { of: 'themes.toggeable', settings: { themes: { toggeable: false } }, hides: [/theme-toggle/] },
  { of: 'pdf.enabled', settings: { pdf: { enabled: false } }, hides: [/~gitbook\/pdf/] },
  {
    of: 'externalLinks.target',
    settings: { externalLinks: { target: 'blank' } },
    shows: [/<a href="https:\/\/outside\.example\/a" rel="noopener" target="_blank">/],
  },
  { of: 'pagination.enabled', settings: { pagination: { enabled: false } }, hides: [/rel="next"/] },
  { of: 'trademark.enabled', settings: { trademark: { enabled: false } }, hides: [/Powered by Bindery/] },
  {
    of: 'privacyPolicy.url',
    settings: { privacyPolicy: { url: 'https://elsewhere.example/there' } },
    shows: [anchor('Privacy policy')],
  },
  {
    of: 'accessibilityStatement.url',
    settings: { accessibilityStatement: { url: 'https://elsewhere.example/there' } },
    shows: [anchor('Accessibility statement')],
  },
  {
    of: 'socialPreview.url',
    settings: { socialPreview: { url: 'https://pictures.example/card.png' } },
    shows: [/<meta property="og:image" content="https:\/\/pictures\.example\/card\.png">/],
  },
  {
    of: 'feedback.{enabled,position}',
    settings: { feedback: { enabled: true, position: 'top' } },
    shows: [/Was this page helpful\?.*The first paragraph/s],
  },
  {
    of: 'problemReports.{enabled,url}',
    settings: { problemReports: { enabled: true, url: 'https://elsewhere.example/there' } },
    shows: [/<a href="https:\/\/elsewhere\.example\/there\?page=[^"]*"[^>]*>Report a problem</],
  },
];

/** Settings that a site has for all of its spaces. */
export const SITE_LOOKS: readonly Look[] = [
  {
    of: 'styling.font',
    settings: { styling: { font: 'Lato' } },
    shows: [/\/lato-latin-400-normal\.woff2"/, /--font:"Lato"/],
  },
  {
    of: 'styling.font.{id,custom,fontFamily,fontFaces.weight,fontFaces.sources.url,fontFaces.sources.format}',
    settings: { styling: { font: FONT } },
    shows: [FACE, /--font:"Acme"/],
  },
  { of: 'styling.monospaceFont', settings: { styling: { monospaceFont: 'DMMono' } }, shows: [/--font-mono:"DM Mono"/] },
  {
    of: 'styling.monospaceFont.{id,custom,fontFamily,fontFaces.weight,fontFaces.sources.url,fontFaces.sources.format}',
    settings: { styling: { monospaceFont: FONT } },
    shows: [FACE, /--font-mono:"Acme"/],
  },
  { of: 'ai.mode', settings: { ai: { mode: 'assistant' } }, shows: [/class="[^"]*ask-link"/] },
  { of: 'pageActions.items', settings: { pageActions: { items: ['mcp'] } }, hides: [/copy-page/] },
  {
    of: 'pageActions.externalAI',
    settings: { pageActions: { externalAI: false } },
    hides: [/https:\/\/chatgpt\.com\//],
  },
  {
    of: 'pageActions.markdown',
    settings: { pageActions: { markdown: false } },
    hides: [/copy-page/, /View as Markdown/],
  },
  { of: 'pageActions.mcp', settings: { pageActions: { mcp: false } }, hides: [/~gitbook\/mcp"/] },
  {
    of: 'socialAccounts.{platform,handle,display.footer,display.header}',
    settings: {
      socialAccounts: [
        { platform: 'github', handle: 'acme', display: { footer: true, header: false } },
        { platform: 'youtube', handle: 'acme', display: { footer: false, header: true } },
      ],
    },
    shows: [
      /<header.*href="https:\/\/www\.youtube\.com\/@acme".*<\/header>/s,
      /<footer.*href="https:\/\/github\.com\/acme".*<\/footer>/s,
    ],
  },
];
