import { Module } from '@nestjs/common';
import { Deliveries } from './deliveries.service.js';
import { DeliveryWorker } from './delivery-worker.js';
import { FanOut } from './fan-out.js';
import { Sender } from './sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController],
  providers: [Webhooks, Deliveries, FanOut, Sender, DeliveryWorker],
})
export class WebhooksModule {}
