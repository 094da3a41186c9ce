import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { PublicListener } from '../../kernel/platform/public-listener.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import { uploadEndpoint } from './upload-endpoint.js';
import { Upload } from './upload.entity.js';
import { UploadsController } from './uploads.controller.js';
import { uploads } from './uploads.manifest.js';
import { Uploads } from './uploads.service.js';

/** Files that are uploaded before a request names them: for imports, and as fonts. */
@Module({
  imports: [TypeOrmModule.forFeature([Upload])],
  controllers: [UploadsController],
  providers: [brings(uploads), Uploads],
  exports: [Uploads],
})
export class UploadsModule implements OnModuleInit {
  constructor(
    private readonly uploads: Uploads,
    private readonly listener: PublicListener,
    private readonly files: FileEndpoint,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.listener.mount(uploadEndpoint(this.uploads));
    this.files.register((id) => this.uploads.font(id));
    this.jobs.handle('uploads.remove-stale', async () => void (await this.uploads.removeStale()));
  }
}
