/** The shape of a value of the look, from which its field follows. */
export type Shape =
  | Readonly<{ kind: 'choice' | 'choices' | 'font'; values: readonly string[] }>
  | Readonly<{ kind: 'flag' | 'color' | 'url' | 'target' | 'favicon' }>
  | Readonly<{ kind: 'text' | 'texts'; most: number }>
  | Readonly<{ kind: 'object'; of: Shapes; empty: Value }>
  | Readonly<{ kind: 'list'; of: Shapes; empty: Value; most: number }>;
type Shapes = Readonly<Record<string, Shape>>;
export type Value = Readonly<Record<string, unknown>>;

/** A value by its path in the customization. */
export interface Field {
  readonly path: string;
  readonly shape: Shape;
  /** The value may be absent. */
  readonly isOptional?: true;
  /** Spaces of the site cannot differ in it. */
  readonly isOfSite?: true;
  /** Sites have it in another value. */
  readonly isOfSpace?: true;
  /** A space that differs cannot go back in this value alone. */
  readonly keepsOverride?: true;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const choice = (text: string): Shape => ({ kind: 'choice', values: words(text) });
const text = (most: number): Shape => ({ kind: 'text', most });
const flag: Shape = { kind: 'flag' };
const url: Shape = { kind: 'url' };
const color: Shape = { kind: 'color' };
const target: Shape = { kind: 'target' };
const themed = (shape: Shape, light: string, dark = light): Shape => ({
  kind: 'object',
  of: { light: shape, dark: shape },
  empty: { light, dark },
});
const colors = themed(color, '#346ddb');
const pictures = themed(url, 'https://');
const HOME = { kind: 'url', url: '/' };
const link: Shapes = { title: text(64), to: target };
const links: Shape = { kind: 'list', of: link, empty: { title: '', to: HOME }, most: 100 };

const CODE_THEMES = choice(`
  default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark catppuccin-frappe
  catppuccin-latte catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark
  everforest-light github-dark github-dark-default github-dark-dimmed github-dark-high-contrast github-light
  github-light-default github-light-high-contrast gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft
  gruvbox-light-hard gruvbox-light-medium gruvbox-light-soft houston kanagawa-dragon kanagawa-lotus kanagawa-wave
  laserwave light-plus material-theme material-theme-darker material-theme-lighter material-theme-ocean
  material-theme-palenight min-dark min-light monokai night-owl nord one-dark-pro one-light plastic poimandres red
  rose-pine rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light solarized-dark solarized-light
  synthwave-84 tokyo-night vesper vitesse-black vitesse-dark vitesse-light`);
const codeThemes = themed(CODE_THEMES, 'default-light', 'default-dark');
const FONTS = words(
  'ABCFavorit Inter Roboto RobotoSlab OpenSans SourceSansPro Lato Ubuntu Raleway Merriweather Overpass NotoSans IBMPlexSerif Poppins FiraSans',
);
const CODE_FONTS = words('FiraCode IBMPlexMono JetBrainsMono SourceCodePro RobotoMono SpaceMono DMMono Inconsolata');
const PLATFORMS = choice(
  'twitter instagram facebook linkedin github discord slack youtube tiktok reddit bluesky mastodon threads medium',
);
const display = { footer: true, header: false };

/** Every value of the customization of a site, by the part of the screen that it stands in. */
export const LOOK = {
  brand: [
    { path: 'title', shape: text(128), isOptional: true },
    { path: 'favicon', shape: { kind: 'favicon' } },
    { path: 'styling.theme', shape: choice('clean muted bold gradient') },
    { path: 'styling.primaryColor', shape: colors },
    {
      path: 'styling.tint',
      shape: { kind: 'object', of: { color: colors }, empty: { color: { light: '#346ddb', dark: '#346ddb' } } },
      isOptional: true,
    },
    { path: 'styling.infoColor', shape: colors },
    { path: 'styling.successColor', shape: colors },
    { path: 'styling.warningColor', shape: colors },
    { path: 'styling.dangerColor', shape: colors },
    { path: 'themes.default', shape: choice('light dark') },
    { path: 'themes.toggeable', shape: flag },
  ],
  style: [
    { path: 'styling.font', shape: { kind: 'font', values: FONTS }, isOfSite: true },
    { path: 'styling.monospaceFont', shape: { kind: 'font', values: CODE_FONTS }, isOfSite: true },
    { path: 'styling.corners', shape: choice('straight rounded circular') },
    { path: 'styling.depth', shape: choice('subtle flat') },
    { path: 'styling.links', shape: choice('default accent') },
    { path: 'styling.background', shape: choice('plain match') },
    { path: 'styling.icons', shape: choice('regular solid duotone light thin') },
    { path: 'styling.search', shape: choice('prominent subtle') },
    { path: 'styling.sidebar.background', shape: choice('default filled') },
    { path: 'styling.sidebar.list', shape: choice('default pill line') },
    {
      path: 'styling.codeTheme',
      shape: { kind: 'object', of: { default: codeThemes, openapi: codeThemes }, empty: {} },
    },
    { path: 'internationalization.locale', shape: choice('en fr es zh ja de nl no pt-br ru') },
  ],
  header: [
    { path: 'header.preset', shape: choice('default bold contrast custom none') },
    { path: 'header.logo', shape: pictures, isOptional: true },
    { path: 'header.backgroundColor', shape: colors, isOptional: true },
    { path: 'header.linkColor', shape: colors, isOptional: true },
    { path: 'header.primaryLink', shape: target, isOptional: true },
    {
      path: 'header.links',
      shape: {
        kind: 'list',
        of: {
          title: text(128),
          style: choice('link button-primary button-secondary'),
          to: target,
          links,
          condition: text(1024),
        },
        empty: { title: '', style: 'link', to: HOME, links: [] },
        most: 100,
      },
    },
    {
      path: 'announcement',
      shape: {
        kind: 'object',
        of: {
          enabled: flag,
          message: text(128),
          style: choice('info warning danger success'),
          link: { kind: 'object', of: link, empty: { title: '', to: HOME } },
          condition: text(1024),
        },
        empty: { enabled: true, message: '', style: 'info' },
      },
      isOptional: true,
      keepsOverride: true,
    },
  ],
  footer: [
    { path: 'footer.logo', shape: pictures, isOptional: true },
    { path: 'footer.copyright', shape: text(300), isOptional: true },
    {
      path: 'footer.groups',
      shape: { kind: 'list', of: { title: text(128), links }, empty: { title: '', links: [] }, most: 100 },
    },
    {
      path: 'socialAccounts',
      shape: {
        kind: 'list',
        of: {
          platform: PLATFORMS,
          handle: text(128),
          display: { kind: 'object', of: { footer: flag, header: flag }, empty: display },
        },
        empty: { platform: 'github', handle: '', display },
        most: 10,
      },
      isOfSite: true,
    },
    { path: 'privacyPolicy.url', shape: url, isOptional: true },
    { path: 'accessibilityStatement.url', shape: url, isOptional: true },
    { path: 'socialPreview.url', shape: url, isOptional: true },
    { path: 'trademark.enabled', shape: flag },
  ],
  pages: [
    {
      path: 'pageActions.items',
      shape: { kind: 'choices', values: words('assistant markdown mcp external-ai pdf git') },
      isOfSite: true,
    },
    { path: 'pdf.enabled', shape: flag, isOfSpace: true },
    { path: 'git.showEditLink', shape: flag, isOfSpace: true },
    { path: 'pagination.enabled', shape: flag },
    { path: 'feedback.enabled', shape: flag },
    { path: 'feedback.position', shape: choice('top bottom') },
    { path: 'problemReports.enabled', shape: flag },
    { path: 'problemReports.url', shape: url, isOptional: true },
    { path: 'pageVerification.enabled', shape: flag },
    { path: 'externalLinks.target', shape: choice('self blank') },
    { path: 'ai.mode', shape: choice('none search assistant'), isOfSite: true },
    { path: 'ai.suggestions', shape: { kind: 'texts', most: 5 }, isOptional: true, isOfSite: true },
  ],
} as const satisfies Readonly<Record<string, readonly Field[]>>;

/** The value at a path. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, name) => (part === null || typeof part !== 'object' ? undefined : (part as Value)[name]),
      value,
    );
}

/** A value with another one at a path; `undefined` takes it away. */
export function withValue(value: Value, path: string, next: unknown): Value {
  const [name = '', ...rest] = path.split('.');
  const { [name]: present, ...others } = value;
  if (rest.length > 0) {
    const below = typeof present === 'object' && present !== null ? (present as Value) : {};
    return { ...value, [name]: withValue(below, rest.join('.'), next) };
  }
  return next === undefined ? others : { ...value, [name]: next };
}
