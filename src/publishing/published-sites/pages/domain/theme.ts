import { BLACK, contrast, hexOf, mix, parseColor, readableOn, textOn, WHITE, type RgbColor } from './color.js';
import { codeVariables, monochrome, type CodeSurface } from './code-theme.js';
import { fontFaces, fontStack, type Font } from './fonts.js';

export type Scheme = 'light' | 'dark';
type Themed = Readonly<Record<Scheme, string>>;

/** The settings of a site that determine its colours, fonts and shapes. */
export interface Look {
  readonly styling: {
    readonly theme: 'clean' | 'muted' | 'bold' | 'gradient';
    readonly primaryColor: Themed;
    readonly tint?: { readonly color: Themed } | undefined;
    readonly infoColor: Themed;
    readonly successColor: Themed;
    readonly warningColor: Themed;
    readonly dangerColor: Themed;
    readonly corners: 'straight' | 'rounded' | 'circular';
    readonly depth: 'subtle' | 'flat';
    readonly background: 'plain' | 'match';
    readonly font: Font;
    readonly monospaceFont: Font;
    readonly codeTheme: { readonly default: Themed; readonly openapi: Themed };
  };
  readonly header: {
    readonly preset: 'default' | 'bold' | 'contrast' | 'custom' | 'none';
    readonly backgroundColor?: Themed | undefined;
    readonly linkColor?: Themed | undefined;
  };
}

const RADII = { straight: ['0', '0'], rounded: ['.5rem', '.5rem'], circular: ['1rem', '1.5rem'] } as const;
const NEUTRAL: Readonly<Record<Scheme, { readonly page: RgbColor; readonly ink: RgbColor }>> = {
  light: { page: WHITE, ink: parseColor('#16181d') },
  dark: { page: parseColor('#131519'), ink: parseColor('#eceef2') },
};

type Variables = Readonly<Record<string, string>>;

/**
 * The style sheet of one site: values for the custom properties of the common style sheet. Paper is light whatever the
 * screen is, and code on it has the colours of the site: browsers print no grounds, so light words would vanish.
 */
export function themeSheet(look: Look, codeThemes: ReadonlyMap<string, CodeSurface> = new Map()): string {
  const { font, monospaceFont } = look.styling;
  return [
    fontFaces(font),
    fontFaces(monospaceFont),
    rule(':root', { ...shapesOf(look), ...palette(look, 'light') }),
    `@media not print{${[rule('[data-theme=dark]', palette(look, 'dark')), ...codeRules(look, codeThemes)].join('')}}`,
  ].join('');
}

/**
 * The same values for content in a shadow tree: dark where the host has `data-theme=dark`, or where the reader prefers
 * it and the host has none.
 */
export function hostThemeSheet(look: Look): string {
  const dark = palette(look, 'dark');
  return [
    rule(':host', { ...shapesOf(look), ...palette(look, 'light') }),
    `@media (prefers-color-scheme:dark){${rule(':host(:not([data-theme]))', dark)}}`,
    rule(':host([data-theme=dark])', dark),
  ].join('');
}

/** The colours of one scheme for a picture: those that the pages themselves have. */
export function pictureColors(look: Look, scheme: Scheme) {
  const colors = palette(look, scheme);
  const color = (name: string): string => colors[name] ?? '';
  return {
    ground: color('--bg'),
    tint: color('--tint-bg'),
    text: color('--text'),
    muted: color('--text-muted'),
    accent: color('--primary'),
    onAccent: color('--primary-text'),
    label: color('--primary-on-bg'),
  };
}

function shapesOf({ styling: { corners, depth, font, monospaceFont } }: Look): Variables {
  const [radius, control] = RADII[corners];
  return {
    '--radius': radius,
    '--radius-control': control,
    '--shadow': depth === 'flat' ? 'none' : '0 1px 2px rgb(0 0 0/.05),0 4px 16px -4px rgb(0 0 0/.08)',
    '--shadow-raised': depth === 'flat' ? 'none' : '0 2px 6px rgb(0 0 0/.08),0 16px 40px -8px rgb(0 0 0/.22)',
    '--font': fontStack(font, 'sans'),
    '--font-mono': fontStack(monospaceFont, 'mono'),
  };
}

function rule(selector: string, variables: Variables): string {
  return `${selector}{${Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;
}

/** The scope of a theme for code: all code, or only that of API descriptions. */
const CODE = { default: '.content .code:not(.api *)', openapi: '.content .api .code' } as const;

/** The rules for the theme of code; empty if code has the colours of the site. */
function codeRules(look: Look, themes: ReadonlyMap<string, CodeSurface>): string[] {
  const { codeTheme } = look.styling;
  return (['light', 'dark'] as const).flatMap((scheme) =>
    (['default', 'openapi'] as const).flatMap((part) => {
      const surface = codeSurface(look, codeTheme[part][scheme], scheme, themes);
      return surface ? [rule(`[data-theme=${scheme}] ${CODE[part]}`, codeVariables(surface))] : [];
    }),
  );
}

function codeSurface(
  look: Look,
  name: string,
  shownIn: Scheme,
  themes: ReadonlyMap<string, CodeSurface>,
): CodeSurface | undefined {
  const [, kind, own] = /^(default|monochrome)-(light|dark)$/.exec(name) ?? [];
  if (kind === undefined) return themes.get(name);
  const scheme = own === 'dark' ? 'dark' : 'light';
  if (kind === 'default' && scheme === shownIn) return undefined;
  const colors = palette(look, scheme);
  const [background, text] = [parseColor(colors['--bg-subtle'] ?? ''), parseColor(colors['--text'] ?? '')];
  return kind === 'monochrome' ? monochrome(scheme, background, text) : { scheme, background, text, tokens: {} };
}

/**
 * The colours of one scheme. Text is readable (WCAG AA) on every background on which it occurs, whatever the settings.
 */
function palette({ styling, header }: Look, scheme: Scheme): Variables {
  const isDark = scheme === 'dark';
  const { page, ink } = NEUTRAL[scheme];
  const primary = parseColor(styling.primaryColor[scheme]);
  const tint = styling.tint ? parseColor(styling.tint.color[scheme]) : primary;
  // A custom tint colours the greys more strongly than one that derives from the primary colour.
  const strength = styling.tint ? 1 : styling.theme === 'clean' ? 0.25 : 0.5;
  const matches = styling.background === 'match';
  const shade = (amount: number, color: number): RgbColor => mix(mix(page, ink, amount), tint, color * strength);
  const bg = matches ? shade(isDark ? 0 : 0.01, isDark ? 0.05 : 0.045) : isDark ? shade(0, 0.035) : page;
  const subtle = shade(isDark ? 0.035 : 0.022, isDark ? 0.045 : 0.03);
  const strong = shade(isDark ? 0.085 : 0.055, isDark ? 0.06 : 0.045);
  const surfaces = [bg, subtle, strong];
  const text = mix(ink, tint, 0.06 * strength);
  const muted = readableOn(mix(ink, mix(page, tint, 0.3 * strength), 0.36), surfaces);
  const link = readableOn(primary, surfaces);
  const bar = barColors(styling.theme, header, scheme, { bg, text, primary });
  const tintBack = mix(bg, tint, isDark ? 0.14 : 0.1);
  const names = {
    info: styling.infoColor,
    success: styling.successColor,
    warning: styling.warningColor,
    danger: styling.dangerColor,
  } as const;
  return {
    'color-scheme': scheme,
    '--bg': hexOf(bg),
    '--bg-subtle': hexOf(subtle),
    '--bg-strong': hexOf(strong),
    '--bg-raised': hexOf(isDark ? shade(0.06, 0.05) : page),
    '--border': hexOf(shade(isDark ? 0.15 : 0.1, 0.06)),
    '--border-strong': hexOf(shade(isDark ? 0.26 : 0.2, 0.08)),
    '--text': hexOf(text),
    '--text-muted': hexOf(muted),
    '--primary': hexOf(primary),
    '--primary-text': hexOf(textOn(primary)),
    '--primary-hover': hexOf(mix(primary, isDark ? WHITE : BLACK, 0.12)),
    '--primary-bg': hexOf(mix(bg, primary, isDark ? 0.16 : 0.09)),
    '--primary-on-bg': hexOf(readableOn(primary, [mix(bg, primary, isDark ? 0.16 : 0.09), bg, subtle])),
    '--tint': hexOf(tint),
    '--tint-bg': hexOf(tintBack),
    '--tint-on-bg': hexOf(readableOn(tint, [tintBack, bg, subtle])),
    '--link': hexOf(link),
    ...bar,
    ...Object.fromEntries(
      Object.entries(names).flatMap(([name, colors]) => {
        const color = parseColor(colors[scheme]);
        const back = mix(bg, color, isDark ? 0.14 : 0.09);
        return [
          [`--${name}`, hexOf(readableOn(color, [back, bg, subtle, strong]))],
          [`--${name}-bg`, hexOf(back)],
          [`--${name}-border`, hexOf(mix(bg, color, isDark ? 0.34 : 0.3))],
        ];
      }),
    ),
  };
}

interface Base {
  readonly bg: RgbColor;
  readonly text: RgbColor;
  readonly primary: RgbColor;
}

/** The colours of the top bar: those of the theme, or of the older presets if one is set. */
function barColors(
  theme: Look['styling']['theme'],
  header: Look['header'],
  scheme: Scheme,
  { bg, text, primary }: Base,
): Variables {
  const custom = header.preset === 'custom' ? header : undefined;
  const fill = custom?.backgroundColor
    ? parseColor(custom.backgroundColor[scheme])
    : header.preset === 'contrast'
      ? mix(text, bg, scheme === 'dark' ? 0 : 0.04)
      : theme === 'bold' || header.preset === 'bold'
        ? primary
        : undefined;
  if (!fill)
    return {
      '--bar-bg': 'var(--bg)',
      '--bar-text': 'var(--text)',
      '--bar-muted': 'var(--text-muted)',
      '--bar-line': 'var(--border)',
      '--bar-field': 'var(--bg-subtle)',
    };
  const on = custom?.linkColor ? readableOn(parseColor(custom.linkColor[scheme]), [fill]) : textOn(fill);
  // Away from the text colour, so that text is readable on it as well.
  const field = mix(fill, contrast(on, WHITE) < contrast(on, BLACK) ? BLACK : WHITE, 0.14);
  return {
    '--bar-bg': hexOf(fill),
    '--bar-text': hexOf(on),
    '--bar-muted': hexOf(readableOn(mix(on, fill, 0.18), [fill, field])),
    '--bar-line': hexOf(mix(fill, on, 0.18)),
    '--bar-field': hexOf(field),
  };
}
