import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { PublicListener } from '../../kernel/platform/public-listener.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import { PdfPainter } from './pdf-painter.js';
import { PdfChapters } from './pdf-chapters.js';
import { PdfBooks } from './pdf-books.js';
import { PdfInputsReader } from './pdf-inputs-reader.js';
import { RenderingQueue } from './rendering-queue.js';
import { ChangeRequestPdfController, SpacePdfController } from './pdf.controller.js';
import { pdfEndpoint } from './pdf-endpoint.js';
import { Renderings } from './renderings.service.js';
import { RenderingWorker } from './rendering-worker.js';
import { PdfRendering } from './pdf-rendering.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { pdf } from './pdf.manifest.js';

/** Spaces, change requests and pages as PDFs. */
@Module({
  imports: [TypeOrmModule.forFeature([PdfRendering]), ContentModule, ChangeRequestsModule],
  controllers: [SpacePdfController, ChangeRequestPdfController],
  providers: [
    brings(pdf),
    PdfPainter,
    PdfBooks,
    PdfChapters,
    PdfInputsReader,
    RenderingQueue,
    Renderings,
    RenderingWorker,
  ],
  exports: [PdfBooks, PdfPainter, Renderings],
})
export class PdfModule implements OnModuleInit {
  constructor(
    private readonly renderings: Renderings,
    private readonly listener: PublicListener,
    private readonly files: FileEndpoint,
  ) {}

  onModuleInit(): void {
    this.listener.mount(pdfEndpoint(this.renderings, this.files));
  }
}
