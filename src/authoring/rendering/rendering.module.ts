import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { ApiDescriptions } from './api-descriptions.js';
import { ComparedPages } from './compared-pages.js';
import { ContentHtml } from './content-html.js';
import { MarkdownPreviews } from './markdown-previews.service.js';
import { PageDiffsController } from './page-diffs.controller.js';
import { PageDiffs } from './page-diffs.service.js';
import { PageHtmlRenderer } from './page-html.service.js';
import { RenderingController } from './rendering.controller.js';
import { WorkspaceReferences } from './workspace-references.js';

/** Content as HTML: what published pages and the workspace have in common, and the operations of the workspace. */
@Module({
  imports: [ContentModule],
  controllers: [RenderingController, PageDiffsController],
  providers: [
    ApiDescriptions,
    ComparedPages,
    ContentHtml,
    MarkdownPreviews,
    PageDiffs,
    PageHtmlRenderer,
    WorkspaceReferences,
  ],
  exports: [ContentHtml],
})
export class RenderingModule {}
