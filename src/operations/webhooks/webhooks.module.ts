import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deliveries } from './deliveries.service.js';
import { DeliveryWorker } from './delivery-worker.js';
import { FanOut } from './fan-out.js';
import { Sender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';
import { Webhook } from './webhook.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { webhooks } from './webhooks.manifest.js';

@Module({
  imports: [OrganizationsModule, TypeOrmModule.forFeature([Webhook, WebhookDelivery])],
  controllers: [WebhooksController],
  providers: [brings(webhooks), Webhooks, Deliveries, FanOut, Sender, DeliveryWorker],
})
export class WebhooksModule {}
