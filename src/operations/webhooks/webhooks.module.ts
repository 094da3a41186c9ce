import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deliveries } from './deliveries.service.js';
import { DeliveryWorker } from './delivery-worker.js';
import { FanOut } from './fan-out.js';
import { Sender } from './sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';
import { Webhook } from './webhook.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookDelivery])],
  controllers: [WebhooksController],
  providers: [Webhooks, Deliveries, FanOut, Sender, DeliveryWorker],
})
export class WebhooksModule {}
