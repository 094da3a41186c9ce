import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { ContentModule } from '../content/content.module.js';
import { DueVerificationsJob } from './due-verifications.job.js';
import { PageVerification } from './page-verification.entity.js';
import { pageVerification } from './page-verification.manifest.js';
import { PageVerificationReader } from './page-verification-reader.js';
import { PageVerificationsController } from './page-verifications.controller.js';
import { PageVerifications } from './page-verifications.service.js';

/** Pages that somebody answers for until a time. */
@Module({
  imports: [TypeOrmModule.forFeature([PageVerification]), ContentModule],
  controllers: [PageVerificationsController],
  providers: [brings(pageVerification), DueVerificationsJob, PageVerificationReader, PageVerifications],
  exports: [PageVerificationReader],
})
export class PageVerificationModule {}
