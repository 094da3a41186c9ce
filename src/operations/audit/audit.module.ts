import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditEvents } from './audit-events.service.js';
import { AuditRetention } from './audit-retention.js';

@Module({
  controllers: [AuditController],
  providers: [AuditEvents, AuditRetention],
})
export class AuditModule {}
