import { z } from 'zod';
import { checkStorableUrl } from '../../kernel/common/address-schema.js';
import { expressionFault } from '../../kernel/common/expressions/parse.js';
import { codeOfEmoji } from '../../formats/markdown/emoji-codes.js';
import { PAGE_ACTIONS } from './domain/page-actions.js';

const MAX_LINKS = 100;
const MAX_FONT_PARTS = 100;

const httpUrl = z
  .string()
  .max(2048)
  .superRefine(checkStorableUrl)
  .check(z.url({ protocol: /^https?$/, error: 'must be an http or https address' }));
const text = (max: number, min = 0) => z.string().min(min).max(max);
const id = text(100, 1);
const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a colour such as #ffaa00 or #fa0');
const themedColor = z.object({ light: color, dark: color });
const themedUrl = z.object({ light: httpUrl, dark: httpUrl });
const enabled = z.object({ enabled: z.boolean() });
const condition = text(1024).superRefine((value, context) => {
  const fault = value.trim() === '' ? undefined : expressionFault(value);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** The target of a link. Relative references (without `space`) are resolved within the site's own content. */
export const contentReference = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('url'),
    url: z
      .string()
      .max(2048)
      .superRefine(checkStorableUrl)
      .regex(/^(https?:\/\/|mailto:|tel:|\/|#)/i, 'must be an http, https, mailto or tel address or a path'),
  }),
  z.object({ kind: z.literal('page'), page: id, space: id.optional() }),
  z.object({ kind: z.literal('anchor'), anchor: text(512, 1), page: id.optional(), space: id.optional() }),
  z.object({ kind: z.literal('space'), space: id }),
  z.object({ kind: z.literal('collection'), collection: id }),
  z.object({ kind: z.literal('file'), file: id }),
  z.object({ kind: z.literal('user'), user: id }),
  z.object({ kind: z.literal('reusable-content'), reusableContent: id, space: id.optional() }),
  z.object({ kind: z.literal('openapi'), spec: id }),
]);

const fontDefinition = z.object({
  id,
  custom: z.boolean(),
  fontFamily: text(50, 1),
  fontFaces: z
    .array(
      z.object({
        weight: z.int().min(1).max(1000),
        sources: z
          .array(z.object({ url: httpUrl, format: z.enum(['woff2', 'woff']).optional() }))
          .min(1)
          .max(MAX_FONT_PARTS),
      }),
    )
    .min(1)
    .max(MAX_FONT_PARTS),
});
const FONTS = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const;
const MONOSPACE_FONTS = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const;

/** Names of themes for code, of which a site has one for each of light and dark. */
const CODE_THEMES = [
  'default-light',
  'default-dark',
  'monochrome-light',
  'monochrome-dark',
  'andromeeda',
  'aurora-x',
  'ayu-dark',
  'catppuccin-frappe',
  'catppuccin-latte',
  'catppuccin-macchiato',
  'catppuccin-mocha',
  'dark-plus',
  'dracula',
  'dracula-soft',
  'everforest-dark',
  'everforest-light',
  'github-dark',
  'github-dark-default',
  'github-dark-dimmed',
  'github-dark-high-contrast',
  'github-light',
  'github-light-default',
  'github-light-high-contrast',
  'gruvbox-dark-hard',
  'gruvbox-dark-medium',
  'gruvbox-dark-soft',
  'gruvbox-light-hard',
  'gruvbox-light-medium',
  'gruvbox-light-soft',
  'houston',
  'kanagawa-dragon',
  'kanagawa-lotus',
  'kanagawa-wave',
  'laserwave',
  'light-plus',
  'material-theme',
  'material-theme-darker',
  'material-theme-lighter',
  'material-theme-ocean',
  'material-theme-palenight',
  'min-dark',
  'min-light',
  'monokai',
  'night-owl',
  'nord',
  'one-dark-pro',
  'one-light',
  'plastic',
  'poimandres',
  'red',
  'rose-pine',
  'rose-pine-dawn',
  'rose-pine-moon',
  'slack-dark',
  'slack-ochin',
  'snazzy-light',
  'solarized-dark',
  'solarized-light',
  'synthwave-84',
  'tokyo-night',
  'vesper',
  'vitesse-black',
  'vitesse-dark',
  'vitesse-light',
] as const;
const codeTheme = z.enum(CODE_THEMES);
const codeThemes = z.object({ light: codeTheme, dark: codeTheme });
/** Colours of code that follow from the other colours of the site. */
const SITE_COLOURS = { light: 'default-light', dark: 'default-dark' } as const;
const DEFAULT_CODE_THEME = { default: SITE_COLOURS, openapi: SITE_COLOURS } as const;
const PLATFORMS = [
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'github',
  'discord',
  'slack',
  'youtube',
  'tiktok',
  'reddit',
  'bluesky',
  'mastodon',
  'threads',
  'medium',
] as const;

const title = text(128, 2);
const NO_FAVICON = { error: 'must be {icon: {light, dark}}, {emoji} with one emoji or its code, or {}' };
const emoji = text(50, 1).refine((value) => codeOfEmoji(value) !== undefined);
const favicon = z.union(
  [z.strictObject({ icon: themedUrl }), z.strictObject({ emoji }), z.strictObject({}, NO_FAVICON)],
  NO_FAVICON,
);
const contentLink = z.object({ title: text(64), to: contentReference });
const headerLinks = z
  .array(
    z.object({
      title: text(128),
      style: z.enum(['link', 'button-primary', 'button-secondary']).optional(),
      to: contentReference.nullable(),
      links: z.array(contentLink).max(MAX_LINKS),
      condition: condition.optional(),
    }),
  )
  .max(MAX_LINKS);
const footerGroups = z.array(z.object({ title: text(128), links: z.array(contentLink).max(MAX_LINKS) })).max(MAX_LINKS);
const announcement = z.object({
  enabled: z.boolean(),
  message: text(128, 2),
  link: contentLink.optional(),
  style: z.enum(['info', 'warning', 'danger', 'success']),
  condition: condition.optional(),
});

/** Values that a site space may override as well. */
const styling = {
  theme: z.enum(['clean', 'muted', 'bold', 'gradient']),
  primaryColor: themedColor,
  tint: z.object({ color: themedColor }),
  infoColor: themedColor,
  successColor: themedColor,
  warningColor: themedColor,
  dangerColor: themedColor,
  corners: z.enum(['straight', 'rounded', 'circular']),
  depth: z.enum(['subtle', 'flat']),
  links: z.enum(['default', 'accent']),
  background: z.enum(['plain', 'match']),
  icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
  search: z.enum(['prominent', 'subtle']),
  codeTheme: z.object({ default: codeThemes, openapi: codeThemes }),
};
const sidebar = { background: z.enum(['default', 'filled']), list: z.enum(['default', 'pill', 'line']) };
const locale = z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']);
const header = {
  preset: z.enum(['default', 'bold', 'contrast', 'custom', 'none']),
  logo: themedUrl,
  backgroundColor: themedColor,
  linkColor: themedColor,
  primaryLink: contentReference,
  links: headerLinks,
};
const footer = { logo: themedUrl, groups: footerGroups, copyright: text(300) };
const themes = { default: z.enum(['light', 'dark']), toggeable: z.boolean() };
const feedbackPosition = z.enum(['top', 'bottom']);
/** Without `url` they go to the issues of the repository of a space. */
const problemReports = { enabled: z.boolean(), url: httpUrl.optional() };
const externalLinks = z.object({ target: z.enum(['self', 'blank']) });

/** The flags of actions are those of earlier clients; the list has the actions that are on, in their order. */
const pageActions = z.object({
  items: z
    .array(z.enum(PAGE_ACTIONS))
    .refine((items) => new Set(items).size === items.length, 'must name each action once at most'),
  externalAI: z.boolean(),
  markdown: z.boolean(),
  mcp: z.boolean(),
});
const git = z.object({ showEditLink: z.boolean() });

/** The complete customization of a site. */
export const customizationSettings = z.object({
  title: title.optional(),
  styling: z.object({
    ...styling,
    tint: styling.tint.optional(),
    codeTheme: styling.codeTheme.default(DEFAULT_CODE_THEME),
    background: styling.background.default('plain'),
    font: z.union([z.enum(FONTS), fontDefinition], { error: 'must be the name of a font or the definition of one' }),
    monospaceFont: z.union([z.enum(MONOSPACE_FONTS), fontDefinition], {
      error: 'must be the name of a font or the definition of one',
    }),
    sidebar: z.object(sidebar),
  }),
  internationalization: z.object({ locale }).default({ locale: 'en' }),
  favicon,
  header: z.object({
    preset: header.preset.default('default'),
    logo: header.logo.optional(),
    backgroundColor: header.backgroundColor.optional(),
    linkColor: header.linkColor.optional(),
    primaryLink: header.primaryLink.optional(),
    links: headerLinks,
  }),
  footer: z.object({ logo: footer.logo.optional(), groups: footerGroups, copyright: footer.copyright.optional() }),
  announcement: announcement.optional(),
  themes: z.object(themes),
  pdf: enabled,
  feedback: z.object({ enabled: z.boolean(), position: feedbackPosition.default('bottom') }),
  problemReports: z.object(problemReports).default({ enabled: false }),
  pageVerification: enabled.default({ enabled: false }),
  ai: z.object({ mode: z.enum(['none', 'search', 'assistant']), suggestions: z.array(text(64, 3)).max(5).optional() }),
  advancedCustomization: z.object({ enabled: z.literal(true, 'must be true: every site may use all settings') }),
  git,
  pageActions,
  externalLinks,
  pagination: enabled,
  trademark: enabled,
  privacyPolicy: z.object({ url: httpUrl.optional() }),
  accessibilityStatement: z.object({ url: httpUrl.optional() }).default({}),
  socialPreview: z.object({ url: httpUrl.optional() }),
  socialAccounts: z
    .array(
      z.object({
        platform: z.enum(PLATFORMS),
        handle: text(128, 1),
        display: z.object({ footer: z.boolean().default(true), header: z.boolean().default(false) }),
      }),
    )
    .max(10)
    .default([]),
  insights: z.object({
    trackingCookie: z.literal(false, 'must be false: readers are counted without cookies').default(false),
  }),
});

export type CustomizationSettings = z.output<typeof customizationSettings>;

/**
 * The customization of a site as PUT takes it, complete. Fields that the public API deprecates (locale, background,
 * header preset), or that earlier clients do not know (themes of code, social accounts), may be omitted and then have
 * their defaults. Of the actions of pages the list is enough, which later clients send alone, and so are all flags.
 */
export const customizationBody = customizationSettings
  .extend({ pdf: enabled.optional(), git: git.optional(), pageActions: pageActions.partial() })
  .superRefine(({ pdf, git: edit, pageActions: { items, ...flags } }, context) => {
    if (items !== undefined) return;
    const needed: readonly (readonly [path: readonly string[], value: unknown])[] = [
      [['pdf'], pdf],
      [['git'], edit],
      ...(['externalAI', 'markdown', 'mcp'] as const).map((name) => [['pageActions', name], flags[name]] as const),
    ];
    for (const [path, value] of needed)
      if (value === undefined) context.addIssue({ code: 'custom', path: [...path], message: 'is required' });
  });

export type CustomizationBody = z.output<typeof customizationBody>;

/** Makes every value optional; null removes the override. */
function overridable<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return z.object(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, value.nullable().optional()])));
}

/** Settings in which a site space may differ from its site. */
export const customizationOverride = z.object({
  title: title.nullable().optional(),
  styling: overridable({ ...styling, sidebar: overridable(sidebar) }).optional(),
  internationalization: z.object({ locale: locale.nullable() }).optional(),
  favicon: favicon.nullable().optional(),
  announcement: announcement.optional(),
  header: overridable(header).optional(),
  footer: overridable(footer).optional(),
  themes: overridable(themes).optional(),
  pdf: z.object({ enabled: z.boolean().nullable() }).optional(),
  feedback: overridable({ enabled: z.boolean(), position: feedbackPosition }).optional(),
  problemReports: overridable(problemReports).optional(),
  pageVerification: z.object({ enabled: z.boolean().nullable() }).optional(),
  pagination: z.object({ enabled: z.boolean().nullable() }).optional(),
  trademark: z.object({ enabled: z.boolean().nullable() }).optional(),
  git: z.object({ showEditLink: z.boolean().nullable() }).optional(),
  externalLinks: z.object({ target: externalLinks.shape.target.nullable() }).optional(),
  privacyPolicy: overridable({ url: httpUrl }).optional(),
  accessibilityStatement: overridable({ url: httpUrl }).optional(),
  socialPreview: overridable({ url: httpUrl }).optional(),
});

export type CustomizationOverride = z.output<typeof customizationOverride>;

/** The design of a site until it is changed. */
export const DEFAULT_CUSTOMIZATION: CustomizationSettings = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#346DDB', dark: '#346DDB' },
    infoColor: { light: '#787878', dark: '#787878' },
    successColor: { light: '#00C950', dark: '#00C950' },
    warningColor: { light: '#FE9A00', dark: '#FE9A00' },
    dangerColor: { light: '#FB2C36', dark: '#FB2C36' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    codeTheme: DEFAULT_CODE_THEME,
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false, position: 'bottom' },
  problemReports: { enabled: false },
  pageVerification: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: {
    items: ['markdown', 'mcp', 'external-ai', 'pdf'],
    externalAI: true,
    markdown: true,
    mcp: true,
  },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  accessibilityStatement: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: false },
};

/** The advanced customization values in use, by the public API's names. */
export function usedCustomizations({
  styling: { theme, icons, font, monospaceFont, ...colors },
  header: { logo },
  footer: { logo: footerLogo, groups, copyright },
}: CustomizationSettings): string[] {
  const { styling: defaults } = DEFAULT_CUSTOMIZATION;
  const recoloured = (['infoColor', 'successColor', 'warningColor', 'dangerColor'] as const).some(
    (name) => colors[name].light !== defaults[name].light || colors[name].dark !== defaults[name].dark,
  );
  const used: readonly (readonly [string, boolean])[] = [
    ['header-logo', logo !== undefined],
    ['theme-preset', theme !== defaults.theme],
    ['premium-fonts', font !== defaults.font || monospaceFont !== defaults.monospaceFont],
    ['custom-icons', icons !== defaults.icons],
    ['footer-logo', footerLogo !== undefined],
    ['footer-links', groups.length > 0],
    ['footer-copyright', copyright !== undefined],
    ['semantic-colors', recoloured],
  ];
  return used.filter(([, isUsed]) => isUsed).map(([name]) => name);
}
