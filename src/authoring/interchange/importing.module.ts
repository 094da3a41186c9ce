import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { Exporter } from './exporter.service.js';
import { Importer } from './importer.service.js';
import { PooledReads } from './pooled-reads.js';
import { SpaceContents } from './space-content.js';
import { WebPageReads } from './web-page-reads.js';

/** Folders of Markdown into spaces, and spaces into folders. */
@Module({
  imports: [ContentModule],
  providers: [Exporter, Importer, PooledReads, SpaceContents, WebPageReads],
  exports: [Exporter, Importer, SpaceContents, WebPageReads],
})
export class ImportingModule {}
