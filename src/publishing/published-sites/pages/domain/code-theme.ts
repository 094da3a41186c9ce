import { hexOf, mix, parseColor, readableOn, type RgbColor } from './color.js';

/** A theme for code in the format of editors: the colours of scopes, the last of equals counts. */
export interface EditorTheme {
  readonly type?: string | undefined;
  readonly colors?: Readonly<Record<string, string>> | undefined;
  readonly tokenColors?: readonly ScopeColor[] | undefined;
  readonly settings?: readonly ScopeColor[] | undefined;
}

interface ScopeColor {
  readonly scope?: string | readonly string[] | undefined;
  readonly settings: { readonly foreground?: string | undefined };
}

/** The background of code, and the colours of its tokens. */
export interface CodeSurface {
  readonly scheme: 'light' | 'dark';
  readonly background: RgbColor;
  readonly text: RgbColor;
  /** By kind; absent ones have the colours of code without a theme. */
  readonly tokens: Readonly<Partial<Record<SyntaxToken, RgbColor>>>;
}

/** The editor scopes of each kind of token, the most specific first. */
const SCOPES = {
  comment: ['comment.line', 'comment'],
  keyword: ['keyword.control', 'keyword', 'storage.type', 'storage'],
  string: ['string.quoted.double', 'string'],
  'string-expression': ['string.template', 'string.quoted.double', 'string'],
  constant: ['constant.numeric', 'constant.language', 'constant'],
  function: ['entity.name.function', 'support.function', 'entity.name'],
  parameter: ['variable.parameter', 'variable'],
  punctuation: ['punctuation.separator', 'punctuation'],
  link: ['markup.underline.link', 'markup.underline', 'string.other.link', 'string'],
  inserted: ['markup.inserted', 'string'],
  deleted: ['markup.deleted', 'keyword.control'],
  changed: ['markup.changed', 'constant.numeric'],
} as const;
export type SyntaxToken = keyof typeof SCOPES;
const TOKENS = Object.keys(SCOPES) as SyntaxToken[];

/** The colours of an editor's theme for the kinds of tokens of code on pages. */
export function surfaceOf({ type, colors = {}, tokenColors, settings }: EditorTheme): CodeSurface {
  const rules = tokenColors ?? settings ?? [];
  const scheme = type === 'light' ? 'light' : 'dark';
  const plain = rules.find(({ scope }) => scope === undefined)?.settings.foreground;
  const text = parseColor(solid(colors['editor.foreground'] ?? plain) ?? (scheme === 'light' ? '#222222' : '#dddddd'));
  const background = parseColor(solid(colors['editor.background']) ?? (scheme === 'light' ? '#ffffff' : '#1e1e1e'));
  const tokens = TOKENS.map((token) => [
    token,
    SCOPES[token].map((scope) => colorOf(rules, scope)).find((color) => color !== undefined) ?? text,
  ]);
  return { scheme, background, text, tokens: Object.fromEntries(tokens) as Record<SyntaxToken, RgbColor> };
}

/** Code without colours. */
export function monochrome(scheme: 'light' | 'dark', background: RgbColor, text: RgbColor): CodeSurface {
  const tokens = TOKENS.map((token) => [token, token === 'comment' ? mix(text, background, 0.4) : text]);
  return { scheme, background, text, tokens: Object.fromEntries(tokens) as Record<SyntaxToken, RgbColor> };
}

/** A surface as custom properties for its content. Its text is readable (WCAG AA), also in highlighted lines. */
export function codeVariables({ scheme, background, text, tokens }: CodeSurface): Readonly<Record<string, string>> {
  const marked = mix(background, text, 0.1);
  const readable = (color: RgbColor): string => hexOf(readableOn(color, [background, marked]));
  return {
    'color-scheme': scheme,
    color: readable(text),
    '--bg': hexOf(background),
    '--code-bg': hexOf(background),
    '--code-mark': hexOf(marked),
    '--text': readable(text),
    '--text-muted': readable(mix(text, background, 0.3)),
    '--border': hexOf(mix(background, text, 0.16)),
    ...Object.fromEntries(
      TOKENS.flatMap((token) => (tokens[token] ? [[`--shiki-token-${token}`, readable(tokens[token])]] : [])),
    ),
  };
}

/** The colour of the rule that matches a scope most exactly. Rules that require enclosing scopes are ignored. */
function colorOf(rules: readonly ScopeColor[], wanted: string): RgbColor | undefined {
  let [found, length] = [undefined as string | undefined, 0];
  for (const { scope = [], settings } of rules) {
    const color = solid(settings.foreground);
    if (color === undefined) continue;
    for (const each of typeof scope === 'string' ? scope.split(',') : scope) {
      const name = each.trim();
      if (name.length >= length && (name === wanted || wanted.startsWith(`${name}.`)) && name !== '')
        [found, length] = [color, name.length];
    }
  }
  return found === undefined ? undefined : parseColor(found);
}

/** A colour without its transparency; undefined for an unsupported notation. */
function solid(text: string | undefined): string | undefined {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6})([0-9a-f]|[0-9a-f]{2})?$/i.exec(text ?? '') ?? [];
  return digits === undefined ? undefined : `#${digits}`;
}
