import { Fragment, type ResolvedPos, Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { clipboardHtml } from './clipboard-html.js';
import { plainTextOf } from './commands.js';
import { editorBlocks } from './model/from-content.js';
import { codeLines, paragraphs } from './model/new-blocks.js';
import { Originals } from './model/originals.js';

/** A line that has a meaning in Markdown, or an emphasis or link anywhere. */
const MARKDOWN =
  /^(?:#{1,6} |\s*[-*+] |\s*\d{1,9}[.)] |> |```|\|.+\||\{% )|\*\*\S[^*]*\*\*|\[[^\]\n]+\]\([^)\s]+\)|`[^`\n]+`/m;

/** HTML of Word, Google Docs and Notion, whose lists, tasks and marks are in their styles: the service knows them. */
const OF_OTHER_EDITORS = /docs-internal-guid-|urn:schemas-microsoft-com:office|class=["']?Mso[A-Z]|<!-- ?notionvc:/;

/** Elements of web pages of which the schema knows nothing. */
const OF_WEB_PAGES = /<(?:img|details)\b/i;

export interface ClipboardHandlers {
  /**
   * Inserts Markdown, or HTML of other editors, at the selection; if the service cannot read it, as much of it as the
   * schema knows.
   */
  readonly onMarkdown: (view: EditorView, markdown: string, otherwise: Slice) => void;
  readonly onFiles: (view: EditorView, files: readonly File[], at: number) => void;
}

/** The slice that was copied last in this window, with all that HTML cannot say, and the text that the clipboard has for it. */
let copied: { readonly slice: Slice; readonly text: string } | undefined;

/**
 * Copies as HTML and as text, and pastes HTML, Markdown and files. Within a window blocks are pasted as they were copied,
 * with everything in them.
 */
export function clipboard(handlers: () => ClipboardHandlers): Plugin {
  return new Plugin({
    props: {
      transformCopied(slice) {
        copied = { slice, text: plainTextOf(slice.content) };
        return slice;
      },
      clipboardSerializer: clipboardHtml,
      clipboardTextSerializer: ({ content }) => plainTextOf(content),
      clipboardTextParser: (text, $context) => textSlice(text, $context),
      handlePaste(view, { clipboardData }, slice) {
        const files = [...(clipboardData?.files ?? [])];
        const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => clipboardData?.getData(type));
        const isOfEditor = html.includes('data-pm-slice');
        const isOwn = isOfEditor && sameText(copied?.text ?? '', text);
        const own = isOwn ? copied?.slice : undefined;
        if (files.length > 0 && !hasText(html)) handlers().onFiles(view, files, view.state.selection.from);
        else if (isInCode(view.state.selection.$from) || (own && isOfTables(own))) return false;
        else if (own) view.dispatch(view.state.tr.replaceSelection(own).scrollIntoView());
        else if (html === '' && MARKDOWN.test(text))
          handlers().onMarkdown(view, text, textSlice(text.trim(), view.state.selection.$from));
        else if (!isOfEditor && (OF_OTHER_EDITORS.test(html) || OF_WEB_PAGES.test(html)))
          handlers().onMarkdown(view, htmlInMarkdown(html), slice);
        else return false;
        return true;
      },
      handleDrop(view, event) {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        handlers().onFiles(view, files, at?.pos ?? view.state.selection.from);
        return true;
      },
    },
  });
}

/**
 * HTML of a clipboard as the service takes it within Markdown, where a blank line would end it: only preformatted text
 * has any.
 */
export function htmlInMarkdown(html: string): string {
  let isPreformatted = false;
  const parts = html
    .replace(/\r\n?/g, '\n')
    .split(/(<\/?pre\b)/i)
    .map((part, index) => {
      if (index % 2 === 1) isPreformatted = !part.startsWith('</');
      return isPreformatted ? part : part.replace(/\n\s*\n/g, '\n');
    });
  return `<!--StartFragment-->${parts.join('')}`;
}

function sameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

function hasText(html: string): boolean {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== '';
}

/** Rows and cells, which the library for tables pastes into the cells from the one with the cursor on. */
function isOfTables({ content }: Slice): boolean {
  return ['row', 'cell', 'header_cell'].includes(content.firstChild?.type.spec['tableRole'] as string);
}

function isInCode({ parent }: ResolvedPos): boolean {
  return parent.type.spec.code === true;
}

/** Plain text: lines of code in code, else paragraphs with the line breaks in them. */
function textSlice(text: string, $context: ResolvedPos): Slice {
  if (isInCode($context)) return new Slice(Fragment.from(codeLines(text)), 1, 1);
  return new Slice(editorBlocks(paragraphs(text), new Originals()), 1, 1);
}
