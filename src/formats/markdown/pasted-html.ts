import { readHtmlFragment } from './html-tree.js';
import { pastedBlocks } from './pasted-blocks.js';
import { append } from './pasted-marks.js';

/** Signs of HTML from the clipboards of Word, Google Docs, Notion and browsers. */
const SIGNS =
  /docs-internal-guid-|urn:schemas-microsoft-com:office|class=["']?Mso[A-Z]|<!-- ?notionvc:|<!--StartFragment/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Maximum nesting depth of elements; deeper HTML stays as written. */
const MAX_DEPTH = 100;

/** Converts HTML that was pasted from an editor to plain HTML: its content without its appearance. */
export function cleanPastedHtml(source: string): string {
  if (!SIGNS.test(source)) return source;
  const parts: string[] = [];
  let html: string[] = [];
  let fence: string | undefined;
  let isPreformatted = false;
  const flush = (): void => {
    if (html.length > 0) append(parts, cleaned(html.join('\n\n')));
    html = [];
  };
  for (const part of source.split(/\n{2,}/)) {
    if (fence === undefined && (/^ *<[a-z!/]/i.test(part) || isPreformatted)) {
      isPreformatted = /<pre\b/i.test(part)
        ? !part.slice(part.toLowerCase().lastIndexOf('<pre')).toLowerCase().includes('</pre>')
        : isPreformatted && !/<\/pre>/i.test(part);
      html.push(part);
      continue;
    }
    flush();
    parts.push(part);
    fence = fenceAfter(part, fence);
  }
  flush();
  return parts.join('\n\n');
}

/** The marker of the fence that is open after a part. */
function fenceAfter(part: string, before: string | undefined): string | undefined {
  let open = before;
  for (const line of part.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = mark;
    else if (mark.startsWith(open) && line.trim() === mark) open = undefined;
  }
  return open;
}

function cleaned(html: string): string[] {
  if (!SIGNS.test(html)) return [html];
  const read = readHtmlFragment(html, MAX_DEPTH);
  return read === undefined || read.isCut ? [html] : pastedBlocks(read.tree.childNodes);
}
