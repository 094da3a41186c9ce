import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { Exporter } from './exporter.service.js';
import { Importer } from './importer.service.js';
import { PooledReads } from './pooled-reads.js';
import { SpaceContents } from './space-content.js';

/** Folders of Markdown into spaces, and spaces into folders. */
@Module({
  imports: [ContentModule],
  providers: [Exporter, Importer, PooledReads, SpaceContents],
  exports: [Exporter, Importer, SpaceContents],
})
export class ImportingModule {}
