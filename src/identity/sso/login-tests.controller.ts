import { Controller, Get, Inject, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { BrowserBinding } from './browser-binding.js';
import { OidcLoginTestBody, presentLoginTest, SamlLoginTestBody } from './login-tests.schema.js';
import { LoginTesting, type TestableLogins } from './login-testing.service.js';
import { OidcLogins } from './oidc-logins.service.js';
import type { ProtocolName } from './protocol.js';
import { SamlLogins } from './saml-logins.service.js';

/** The texts and classes of the operations on tests of one protocol. */
interface Kind<Complete> {
  readonly path: ProtocolName;
  readonly title: string;
  readonly logins: Type<TestableLogins<Complete, never>>;
  readonly shown: Type;
}

/** Test logins at the identity providers of an organization by one protocol, as the operations on the providers are. */
function loginTestsController<Complete>({ path, title, logins: loginsType, shown }: Kind<Complete>): Type {
  const PROVIDER_ID = `${path}ProviderId`;
  const TEST_ID = `${path}LoginTestId`;
  const NAME = path.toUpperCase();

  @ApiTags('Single sign-on')
  @Controller(`orgs/:organizationId/${path}/:${PROVIDER_ID}/tests`)
  class LoginTestsController {
    constructor(
      private readonly tests: LoginTesting,
      @Inject(loginsType) private readonly logins: TestableLogins<Complete, never>,
      private readonly browsers: BrowserBinding,
      private readonly addresses: Addresses,
    ) {}

    @Post()
    @Can('organization:admin')
    @Operation({
      id: `create${NAME}LoginTest`,
      summary: `Begin a test login at an ${title}`,
      description:
        'The test lets nobody in and changes nothing. Open `urls.login` in the browser that sent this request: the answer gives it a cookie, without which the result is not shown. If the identity provider cannot even be asked, the test has failed at once and has no `urls.login`. A test replaces the former one of the caller at this provider, and is gone ten minutes after its last step.',
      status: 201,
      type: shown,
      errors: [409],
    })
    async create(
      @ByCaller() { userId }: Caller,
      @InOrganization() organization: OrganizationAccess,
      @Param(PROVIDER_ID) providerId: string,
      @Req() request: Request,
      @Res({ passthrough: true }) response: Response,
    ) {
      return this.tests
        .begin(this.logins, organization, providerId, userId, this.browsers.remember(request, response))
        .then((test) => presentLoginTest(path, test, this.addresses));
    }

    @Get(`:${TEST_ID}`)
    @Can('organization:admin')
    @Operation({
      id: `get${NAME}LoginTestById`,
      summary: `See what came of a test login at an ${title}`,
      description: 'Only for the administrator who began it.',
      type: shown,
    })
    async get(
      @ByCaller() { userId }: Caller,
      @InOrganization() { id }: OrganizationAccess,
      @Param(PROVIDER_ID) providerId: string,
      @Param(TEST_ID) testId: string,
    ) {
      return this.tests
        .get(path, id, providerId, testId, userId)
        .then((test) => presentLoginTest(path, test, this.addresses));
    }
  }
  return LoginTestsController;
}

export const SamlLoginTestsController = loginTestsController({
  path: 'saml',
  title: 'identity provider',
  logins: SamlLogins,
  shown: SamlLoginTestBody,
});

export const OidcLoginTestsController = loginTestsController({
  path: 'oidc',
  title: 'OpenID Connect provider',
  logins: OidcLogins,
  shown: OidcLoginTestBody,
});
