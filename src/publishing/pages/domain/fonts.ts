import { webAddress } from '../../../common/web-address.js';

/** The name of a font that the settings offer, or the definition of one's own. */
export type Font = string | FontDefinition;

interface FontDefinition {
  readonly fontFamily: string;
  readonly fontFaces: readonly { readonly weight: number; readonly sources: readonly { readonly url: string; readonly format?: 'woff2' | 'woff' | undefined }[] }[];
}

type Kind = 'sans' | 'serif' | 'mono' | 'slab' | 'round' | 'humanist';

/**
 * What most machines have that is nearest in character. Nothing is loaded from other services, so a named font is used where
 * the reader has it and is otherwise stood in for.
 */
const STACKS: Readonly<Record<Kind, string>> = {
  sans: 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif',
  humanist: '"Segoe UI",Candara,"Noto Sans",ui-sans-serif,system-ui,sans-serif',
  round: 'ui-rounded,"Avenir Next",Avenir,Montserrat,Corbel,"Segoe UI",system-ui,sans-serif',
  serif: 'ui-serif,Charter,"Bitstream Charter","Iowan Old Style","Source Serif 4",Georgia,Cambria,serif',
  slab: 'Rockwell,"Roboto Slab","DejaVu Serif",ui-serif,Georgia,serif',
  mono: 'ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Cascadia Mono","DejaVu Sans Mono","Liberation Mono",monospace',
};

/** Names in the settings: the family, and what stands in for it. */
const NAMED: Readonly<Record<string, readonly [family: string, kind: Kind]>> = {
  ABCFavorit: ['ABC Favorit', 'sans'],
  Inter: ['Inter', 'sans'],
  Roboto: ['Roboto', 'sans'],
  RobotoSlab: ['Roboto Slab', 'slab'],
  OpenSans: ['Open Sans', 'humanist'],
  SourceSansPro: ['Source Sans 3', 'humanist'],
  Lato: ['Lato', 'humanist'],
  Ubuntu: ['Ubuntu', 'humanist'],
  Raleway: ['Raleway', 'round'],
  Merriweather: ['Merriweather', 'serif'],
  Overpass: ['Overpass', 'sans'],
  NotoSans: ['Noto Sans', 'humanist'],
  IBMPlexSerif: ['IBM Plex Serif', 'serif'],
  Poppins: ['Poppins', 'round'],
  FiraSans: ['Fira Sans', 'humanist'],
  FiraCode: ['Fira Code', 'mono'],
  IBMPlexMono: ['IBM Plex Mono', 'mono'],
  JetBrainsMono: ['JetBrains Mono', 'mono'],
  SourceCodePro: ['Source Code Pro', 'mono'],
  RobotoMono: ['Roboto Mono', 'mono'],
  SpaceMono: ['Space Mono', 'mono'],
  DMMono: ['DM Mono', 'mono'],
  Inconsolata: ['Inconsolata', 'mono'],
};

/** The value of `font-family`. */
export function fontStack(font: Font, fallback: Kind): string {
  if (typeof font !== 'string') return `${quoted(font.fontFamily)},${STACKS[fallback]}`;
  const named = NAMED[font];
  return named ? `${quoted(named[0])},${STACKS[named[1]]}` : STACKS[fallback];
}

/** The rules that load a font of one's own; nothing for a named one. */
export function fontFaces(font: Font): string {
  if (typeof font === 'string') return '';
  return font.fontFaces
    .map(({ weight, sources }) => {
      const src = sources.map(({ url, format }) => `url(${quoted(url)})${format === undefined ? '' : ` format("${format}")`}`).join(',');
      return `@font-face{font-family:${quoted(font.fontFamily)};font-weight:${weight};font-display:swap;src:${src}}`;
    })
    .join('');
}

/** The origins that a font of one's own is loaded from. */
export function fontOrigins(font: Font): string[] {
  if (typeof font === 'string') return [];
  return font.fontFaces.flatMap(({ sources }) => sources.flatMap(({ url }) => webAddress(url)?.origin ?? []));
}

/** A string of CSS; what could end it, or the element around the style sheet, is escaped by its code point. */
function quoted(text: string): string {
  return `"${text.replace(/[^\w .,:/?#@!$&'()*+;=%~[\]-]/gu, (character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `)}"`;
}
