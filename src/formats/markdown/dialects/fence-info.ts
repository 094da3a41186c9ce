import { formatTag } from '../tags.js';

/** The code that a fence begins, in our own dialect. */
export interface FenceInfo {
  /** The info string: the text after the marks. */
  readonly info: string;
  readonly title: string | undefined;
  /** The tag around the fence, if it has properties of its own. */
  readonly tag: string | undefined;
}

const OPTIONS = /^(?:lines|wrap|expandable|focus|twoslash)$/;

/** Reads what stands behind the marks of a fence; `bare` words behind the language are its title. */
export function readFence(written: string, bare: boolean): FenceInfo {
  const [, classes = ''] = /^\{:?\s*([^{}]*)\}\s*$/.exec(written) ?? [];
  const given = classes === '' ? written.trim() : classes.trim().replace(/^\./, '');
  const [language = '', ...words] = given.split(/\s+/);
  const isNameless = /^(?:title|linenums|hl_lines)=/.test(language) || language.startsWith('[');
  const meta = isNameless ? given : given.slice(language.length).trim();
  const quoted = /(?:^|\s)(?:title|caption)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const labelled = /(?:^|\s)\[([^\]]+)\]/.exec(meta)?.[1];
  const loose = bare ? words.filter((word) => !OPTIONS.test(word) && !/[={}]/.test(word)).join(' ') : '';
  const title = quoted?.[1] ?? quoted?.[2] ?? labelled ?? (loose === '' ? undefined : loose);
  const numbers = /(?:^|\s)(?:linenums=|showLineNumbers\b|:line-numbers\b|lines(?:\s|$))/.test(meta);
  const rest = bare
    ? ''
    : meta
        .replace(/(?:title|caption)=(?:"[^"]*"|'[^']*')/, '')
        .replace(/linenums=(?:"[^"]*"|\S*)|showLineNumbers(?![\w=])|\[[^\]]*\]/, '')
        .trim();
  const own = isNameless ? '' : language.replace(/:line-numbers(?:=\d+)?$/, '').replace(/\{[\d,-]*\}$/, '');
  return {
    info: [own, rest].filter((part) => part !== '').join(' '),
    title,
    tag:
      title === undefined && !numbers
        ? undefined
        : formatTag('code', { title, ...(numbers && { lineNumbers: 'true' }) }),
  };
}
