import { webAddress } from '../../../../kernel/common/web-address.js';

/** The name of a font that the settings offer, or a custom definition. */
export type Font = string | FontDefinition;

interface FontDefinition {
  readonly fontFamily: string;
  readonly fontFaces: readonly {
    readonly weight: number;
    readonly sources: readonly { readonly url: string; readonly format?: 'woff2' | 'woff' | undefined }[];
  }[];
}

type Kind = 'sans' | 'serif' | 'mono' | 'slab' | 'round' | 'humanist';

/** The most similar fonts that most machines have: used until a font is loaded, and for those that are not served. */
const STACKS: Readonly<Record<Kind, string>> = {
  sans: 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif',
  humanist: '"Segoe UI",Candara,"Noto Sans",ui-sans-serif,system-ui,sans-serif',
  round: 'ui-rounded,"Avenir Next",Avenir,Montserrat,Corbel,"Segoe UI",system-ui,sans-serif',
  serif: 'ui-serif,Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4",Georgia,Cambria,serif',
  slab: 'Rockwell,"Roboto Slab","DejaVu Serif",ui-serif,Georgia,serif',
  mono: 'ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Cascadia Mono","DejaVu Sans Mono","Liberation Mono",monospace',
};

interface NamedFont {
  readonly family: string;
  readonly kind: Kind;
  /** The package with its files. */
  readonly package?: string;
  /** The style sheets of the package that name its files; those of one weight also apply to the weights around it. */
  readonly sheets?: readonly FaceSheet[];
}

interface FaceSheet {
  readonly name: string;
  readonly weights?: string;
}

const VARIABLE: readonly FaceSheet[] = [{ name: 'index.css' }];
const TWO_WEIGHTS: readonly FaceSheet[] = [
  { name: '400.css', weights: '1 500' },
  { name: '700.css', weights: '501 1000' },
];
const ITALIC: readonly FaceSheet[] = [{ name: 'wght-italic.css' }];
const TWO_ITALICS: readonly FaceSheet[] = [
  { name: '400-italic.css', weights: '1 500' },
  { name: '700-italic.css', weights: '501 1000' },
];

function variable(family: string, kind: Kind, more: readonly FaceSheet[] = []): NamedFont {
  return {
    family,
    kind,
    package: `@fontsource-variable/${family.toLowerCase().replaceAll(' ', '-')}`,
    sheets: [...VARIABLE, ...more],
  };
}

function fixed(family: string, kind: Kind, more: readonly FaceSheet[] = []): NamedFont {
  return {
    family,
    kind,
    package: `@fontsource/${family.toLowerCase().replaceAll(' ', '-')}`,
    sheets: [...TWO_WEIGHTS, ...more],
  };
}

/**
 * Names in the settings. Fonts with serifs have italics of their own; for the others browsers slant the upright
 * letters.
 */
const NAMED: Readonly<Record<string, NamedFont>> = {
  ABCFavorit: { family: 'ABC Favorit', kind: 'sans' },
  Inter: variable('Inter', 'sans'),
  Roboto: variable('Roboto', 'sans'),
  RobotoSlab: variable('Roboto Slab', 'slab'),
  OpenSans: variable('Open Sans', 'humanist'),
  SourceSansPro: variable('Source Sans 3', 'humanist'),
  Lato: fixed('Lato', 'humanist'),
  Ubuntu: { family: 'Ubuntu', kind: 'humanist' },
  Raleway: variable('Raleway', 'round'),
  Merriweather: variable('Merriweather', 'serif', ITALIC),
  Overpass: variable('Overpass', 'sans'),
  NotoSans: variable('Noto Sans', 'humanist'),
  IBMPlexSerif: fixed('IBM Plex Serif', 'serif', TWO_ITALICS),
  Poppins: fixed('Poppins', 'round'),
  FiraSans: fixed('Fira Sans', 'humanist'),
  FiraCode: variable('Fira Code', 'mono'),
  IBMPlexMono: fixed('IBM Plex Mono', 'mono'),
  JetBrainsMono: variable('JetBrains Mono', 'mono'),
  SourceCodePro: variable('Source Code Pro', 'mono'),
  RobotoMono: variable('Roboto Mono', 'mono'),
  SpaceMono: fixed('Space Mono', 'mono'),
  DMMono: {
    family: 'DM Mono',
    kind: 'mono',
    package: '@fontsource/dm-mono',
    sheets: [
      { name: '400.css', weights: '1 450' },
      { name: '500.css', weights: '451 1000' },
    ],
  },
  Inconsolata: variable('Inconsolata', 'mono'),
};

/** A served font: its name in addresses, and its source. */
export interface ServedFont {
  readonly name: string;
  readonly family: string;
  readonly package: string;
  readonly sheets: readonly FaceSheet[];
}

const SERVED: ReadonlyMap<string, ServedFont> = new Map(
  Object.entries(NAMED).flatMap(([setting, { family, package: from, sheets }]) =>
    from === undefined || !sheets
      ? []
      : [[setting, { name: from.slice(from.indexOf('/') + 1), family, package: from, sheets }] as const],
  ),
);

/**
 * The served form of a font in the settings; undefined for a custom one, and for those whose licences do not permit
 * serving.
 */
export function servedFont(font: Font): ServedFont | undefined {
  return typeof font === 'string' ? SERVED.get(font) : undefined;
}

/** The served font of a file, by file name. */
export function fontOfFile(file: string): ServedFont | undefined {
  return [...SERVED.values()]
    .filter(({ name }) => file.startsWith(`${name}-`))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** The faces of a font, each in slices by characters, of which browsers load those that a page needs. */
export interface FontFaces {
  /** Their rules, with the address below which the files are. */
  readonly css: (below: string) => string;
  readonly files: ReadonlySet<string>;
  /** The slice with the Latin letters, upright and of regular weight. */
  readonly latin: string | undefined;
}

/**
 * Builds our rules for a font from the style sheets of its package (`texts`, in the order of `sheets`). A font that loads
 * too late for the first page is used from the next one on, so the layout does not shift while reading.
 */
export function facesOf({ family, sheets }: ServedFont, texts: readonly string[]): FontFaces {
  const files: string[] = [];
  const rules = texts.flatMap((text, index): ((below: string) => string)[] =>
    [...text.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, block = '']) => {
      const value = (pattern: RegExp): string | undefined => pattern.exec(block)?.[1]?.trim();
      const file = value(/url\(\.\/files\/([\w-]+\.woff2)\)/);
      if (file === undefined) return [];
      files.push(file);
      const range = value(/unicode-range:([^;}]+)/);
      const style = value(/font-style:([^;}]+)/) ?? 'normal';
      const weight = sheets[index]?.weights ?? value(/font-weight:([^;}]+)/) ?? '400';
      const slice = range === undefined ? '' : `;unicode-range:${range}`;
      return [
        (below) =>
          `@font-face{font-family:${quoted(family)};font-style:${style};font-weight:${weight};font-display:optional;src:url(${quoted(below + file)}) format("woff2")${slice}}`,
      ];
    }),
  );
  return {
    css: (below) => rules.map((rule) => rule(below)).join(''),
    files: new Set(files),
    latin: files.find((file) => /-latin-(?!ext)/.test(file)),
  };
}

/** The value of `font-family`. */
export function fontStack(font: Font, fallback: Kind): string {
  if (typeof font !== 'string') return `${quoted(font.fontFamily)},${STACKS[fallback]}`;
  const named = Object.hasOwn(NAMED, font) ? NAMED[font] : undefined;
  return named ? `${quoted(named.family)},${STACKS[named.kind]}` : STACKS[fallback];
}

/** The rules that load a custom font; empty for a named one, whose rules depend on the site. */
export function fontFaces(font: Font): string {
  if (typeof font === 'string') return '';
  return font.fontFaces
    .map(({ weight, sources }) => {
      const src = sources
        .map(({ url, format }) => `url(${quoted(url)})${format === undefined ? '' : ` format("${format}")`}`)
        .join(',');
      return `@font-face{font-family:${quoted(font.fontFamily)};font-weight:${weight};font-display:swap;src:${src}}`;
    })
    .join('');
}

/** The origins from which a custom font is loaded. */
export function fontOrigins(font: Font): string[] {
  if (typeof font === 'string') return [];
  return font.fontFaces.flatMap(({ sources }) => sources.flatMap(({ url }) => webAddress(url)?.origin ?? []));
}

/** A string of CSS; characters that could end it, or the element around the style sheet, are escaped by code point. */
function quoted(text: string): string {
  return `"${text.replace(/[^\w .,:/?#@!$&'()*+;=%~[\]-]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `)}"`;
}
