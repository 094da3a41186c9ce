import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEvents } from './audit-events.service.js';
import { AuditRetentionJob } from './audit-retention.job.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditRemoval } from './audit-removal.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { audit } from './audit.manifest.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, AuditRemoval])],
  controllers: [AuditController],
  providers: [brings(audit), AuditEvents, AuditRetentionJob],
})
export class AuditModule {}
