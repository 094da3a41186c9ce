import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { BrowserBinding } from './browser-binding.js';
import { presentSamlLoginTest, SamlLoginTestBody } from './login-tests.schema.js';
import { SamlLoginTests } from './saml-login-tests.service.js';

@ApiTags('Single sign-on')
@Controller('orgs/:organizationId/saml/:samlProviderId/tests')
export class SamlLoginTestsController {
  constructor(
    private readonly tests: SamlLoginTests,
    private readonly browsers: BrowserBinding,
    private readonly addresses: Addresses,
  ) {}

  @Post()
  @Can('organization:admin')
  @Operation({
    id: 'createSAMLLoginTest',
    summary: 'Begin a test login at an identity provider',
    description:
      'The test lets nobody in and changes nothing. Open `urls.login` in the browser that sent this request: the answer gives it a cookie, without which the result is not shown. A test replaces the former one of the caller at this provider, and is gone ten minutes after its last step.',
    status: 201,
    type: SamlLoginTestBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('samlProviderId') providerId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.tests
      .begin(organization, providerId, userId, this.browsers.remember(request, response))
      .then((test) => presentSamlLoginTest(test, this.addresses));
  }

  @Get(':samlLoginTestId')
  @Can('organization:admin')
  @Operation({
    id: 'getSAMLLoginTestById',
    summary: 'See what came of a test login',
    description: 'Only for the administrator who began it.',
    type: SamlLoginTestBody,
  })
  async get(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('samlProviderId') providerId: string,
    @Param('samlLoginTestId') testId: string,
  ) {
    return this.tests.get(id, providerId, testId, userId).then((test) => presentSamlLoginTest(test, this.addresses));
  }
}
