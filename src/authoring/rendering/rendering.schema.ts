import { EVALUATED, type Evaluated } from '../../formats/document/evaluate.js';
import { Flag, Id, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';

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
  @Text({ description: 'A page as Markdown, with its title or without', example: 'Run the **installer**.' })
  markdown: string;
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
    description: 'Elements carry the line of the Markdown that they begin with, from 1, as `data-line`',
    example: '<p data-line="1">Run the <strong>installer</strong>.</p>',
  })
  html: string;
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
