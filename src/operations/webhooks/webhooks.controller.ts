import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { Deliveries } from './deliveries.service.js';
import {
  CreateWebhook,
  DeliveriesQuery,
  DeliveryBody,
  presentDelivery,
  presentWebhook,
  presentWithSecret,
  RotateSecret,
  UpdateWebhook,
  WebhookBody,
  WebhookWithSecretBody,
} from './webhooks.schema.js';
import { Webhooks } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('orgs/:organizationId/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('organization:admin')
  @ShowsSecret()
  @Operation({
    id: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'The answer shows the secret with which deliveries are signed, once. An organization has 50 webhooks at most.',
    status: 201,
    type: WebhookWithSecretBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateWebhook,
  ) {
    return this.webhooks.create(userId, id, body).then((made) => presentWithSecret(made, this.addresses));
  }

  @Get()
  @Can('organization:admin')
  @Operation({ id: 'listWebhooks', summary: 'List the webhooks of an organization', type: WebhookBody, list: true })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: PageQuery) {
    return this.webhooks.list(id, query).then((page) => page.map((row) => presentWebhook(row, this.addresses)));
  }

  @Get(':webhookId')
  @Can('organization:admin')
  @Operation({ id: 'getWebhook', summary: 'Get a webhook', type: WebhookBody })
  async get(@InOrganization() { id }: OrganizationAccess, @Param('webhookId') webhookId: string) {
    return this.webhooks.get(id, webhookId).then((row) => presentWebhook(row, this.addresses));
  }

  @Patch(':webhookId')
  @Can('organization:admin')
  @Operation({
    id: 'updateWebhook',
    summary: 'Change a webhook, or switch it on or off',
    type: WebhookBody,
    errors: [412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Body() body: UpdateWebhook,
  ) {
    return this.webhooks.update(userId, id, webhookId, body).then((row) => presentWebhook(row, this.addresses));
  }

  @Delete(':webhookId')
  @Can('organization:admin')
  @Operation({ id: 'deleteWebhook', summary: 'Delete a webhook with its deliveries', status: 204, errors: [412] })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
  ) {
    return this.webhooks.remove(userId, id, webhookId);
  }

  @Post(':webhookId/rotate-secret')
  @Can('organization:admin')
  @ShowsSecret()
  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret',
    description:
      'For a while deliveries carry two signatures, so that the receiver can change over without missing any.',
    type: WebhookWithSecretBody,
  })
  async rotate(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Body() body: RotateSecret,
  ) {
    return this.webhooks.rotate(userId, id, webhookId, body).then((made) => presentWithSecret(made, this.addresses));
  }

  @Post(':webhookId/ping')
  @Can('organization:admin')
  @Operation({
    id: 'pingWebhook',
    summary: 'Send a test event to a webhook',
    status: 201,
    type: DeliveryBody,
    errors: [409],
  })
  async ping(@InOrganization() { id }: OrganizationAccess, @Param('webhookId') webhookId: string) {
    return this.deliveries.ping(id, webhookId).then(presentDelivery);
  }

  @Get(':webhookId/deliveries')
  @Can('organization:admin')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: 'List what was delivered to a webhook in the last 30 days, or will be',
    type: DeliveryBody,
    list: true,
  })
  async listDeliveries(
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Query() query: DeliveriesQuery,
  ) {
    return this.deliveries.list(id, webhookId, query).then((page) => page.map(presentDelivery));
  }

  @Get(':webhookId/deliveries/:deliveryId')
  @Can('organization:admin')
  @Operation({ id: 'getWebhookDelivery', summary: 'Get a delivery', type: DeliveryBody })
  async getDelivery(
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return this.deliveries.get(id, webhookId, deliveryId).then(presentDelivery);
  }

  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @Can('organization:admin')
  @Operation({
    id: 'redeliverWebhookDelivery',
    summary: 'Deliver an event again',
    description: 'Sends the same event with the same id again, regardless of earlier results.',
    type: DeliveryBody,
    errors: [409],
  })
  async redeliver(
    @InOrganization() { id }: OrganizationAccess,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return this.deliveries.redeliver(id, webhookId, deliveryId).then(presentDelivery);
  }
}
