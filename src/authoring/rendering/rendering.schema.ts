import { EVALUATED, type Evaluated } from '../../formats/document/evaluate.js';
import type { Document } from '../../formats/document/types.js';
import { Flag, Free, Id, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';

const DOCUMENT_EXAMPLE = { object: 'document', data: { schemaVersion: 8 }, nodes: [] };

export class PageHtmlQuery {
  @OneOf(EVALUATED, {
    optional: true,
    description:
      'Expressions and conditions that are evaluated: those with the same value for every reader when omitted. Others are shown as they are written',
  })
  evaluated: Evaluated = 'deterministic-only';
  @Flag({ optional: true, query: true, default: true, description: 'false leaves computed content uncomputed' })
  computed: boolean = true;
}

export class RenderMarkdown {
  @Text({
    optional: true,
    description: 'A page as Markdown, with its title or without. It or `document` is given',
    example: 'Run the **installer**.',
  })
  markdown?: string;
  @Free({
    optional: true,
    description: 'A page, or blocks of one, as a document, in place of `markdown`',
    example: DOCUMENT_EXAMPLE,
  })
  document?: Document;
  @OneOf(['html', 'document'], {
    optional: true,
    description:
      'The form of the answer, HTML when omitted: with `document` it has the blocks that a write would make, without HTML',
  })
  format?: 'html' | 'document';
  @Id({ optional: true, description: 'The page that it belongs to: links are relative to its place' }) page?: string;
}

export class RenderedMarkdownBody {
  @ObjectName('rendered-markdown') object: 'rendered-markdown';
  @Text({
    optional: true,
    description: 'The title in the Markdown, which is not a part of the HTML',
    example: 'Installation',
  })
  title?: string;
  @Text({
    optional: true,
    description:
      'Elements carry the line of the Markdown that they begin with, from 1, as `data-line`, or the key of the block of the document, as `data-block`. Absent with `format=document`',
    example: '<p data-line="1">Run the <strong>installer</strong>.</p>',
  })
  html?: string;
  @Free({ optional: true, description: 'With `format=document` only', example: DOCUMENT_EXAMPLE }) document?: object;
}

export class PageHtmlBody {
  @ObjectName('page-html') object: 'page-html';
  @Id() page: string;
  @Id({ description: 'The revision whose content is shown' }) revision: string;
  @Text({
    description:
      'The body of the page as on published pages. Elements carry the keys of their blocks as `data-block`; `GET /app/content.css` is the style sheet',
    example: '<p data-block="AbCdEfGh01">Run the installer.</p>',
  })
  html: string;
}
