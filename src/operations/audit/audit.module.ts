import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEvents } from './audit-events.service.js';
import { AuditRetention } from './audit-retention.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditRemoval } from './audit-removal.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, AuditRemoval])],
  controllers: [AuditController],
  providers: [AuditEvents, AuditRetention],
})
export class AuditModule {}
