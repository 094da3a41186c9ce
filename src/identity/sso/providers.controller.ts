import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { IdentityProviders } from './identity-providers.service.js';
import { OidcProtocol } from './oidc-protocol.js';
import { CreateOidcProvider, OidcProviderBody, presentOidcProvider, UpdateOidcProvider } from './oidc.schema.js';
import type { Protocol, ProtocolName, ProviderChanges, ProviderForCaller } from './protocol.js';
import { SamlProtocol } from './saml-protocol.js';
import { CreateSamlProvider, presentSamlProvider, SamlProviderBody, UpdateSamlProvider } from './saml.schema.js';

/** The texts and classes of the operations on providers of one protocol. */
interface Kind<Complete, Changes extends ProviderChanges, Shown> {
  readonly path: ProtocolName;
  /** Its name in texts, after "an" and after "the". */
  readonly title: string;
  readonly shortTitle: string;
  /** Changing one of these makes a provider pending again. */
  readonly settings: string;
  readonly protocol: Type<Protocol<Complete, Changes>>;
  readonly create: Type<Changes & { readonly label: string }>;
  readonly update: Type<Changes>;
  readonly shown: Type<Shown>;
  readonly present: (provider: ProviderForCaller<Complete>, addresses: Addresses) => Shown;
}

/**
 * Declares the class of the body that a handler takes last: the compiler cannot express a class that is created at run
 * time.
 */
function TakesBody(type: Type): MethodDecorator {
  return (target, name) => {
    const types = Reflect.getMetadata('design:paramtypes', target, name) as readonly unknown[];
    Reflect.defineMetadata('design:paramtypes', [...types.slice(0, -1), type], target, name);
  };
}

/**
 * The identity providers of an organization by one protocol. The operations are the same for each, with separate paths
 * and names.
 */
// A class whose members are the operations: none of them is long.
// eslint-disable-next-line max-lines-per-function
function providersController<Complete, Changes extends ProviderChanges, Shown extends object>({
  path,
  title,
  shortTitle,
  settings,
  protocol: protocolType,
  create,
  update,
  shown,
  present,
}: Kind<Complete, Changes, Shown>): Type {
  const ID = `${path}ProviderId`;
  const NAME = path.toUpperCase();

  @ApiTags('Single sign-on')
  @Controller(`orgs/:organizationId/${path}`)
  class ProvidersController {
    constructor(
      private readonly providers: IdentityProviders,
      @Inject(protocolType) private readonly protocol: Protocol<Complete, Changes>,
      private readonly addresses: Addresses,
    ) {}

    @Get()
    @Can('organization:admin')
    @Operation({
      id: `list${NAME}ProvidersInOrganizationById`,
      summary: `List the ${title}s of an organization`,
      type: shown,
      list: true,
    })
    async list(
      @ByCaller() { userId }: Caller,
      @InOrganization() organization: OrganizationAccess,
      @Query() query: PageQuery,
    ) {
      return this.providers
        .list(this.protocol, userId, organization, query)
        .then((page) => page.map((each) => present(each, this.addresses)));
    }

    @Post()
    @Can('organization:admin')
    @TakesBody(create)
    @Operation({
      id: `createOrganization${NAME}Provider`,
      summary: `Add an ${title}`,
      description: `The label is enough to begin with: the answer has what the ${shortTitle} needs to be told, and what it then shows is given with a change.`,
      status: 201,
      type: shown,
      errors: [409],
    })
    async create(
      @ByCaller() { userId }: Caller,
      @InOrganization() organization: OrganizationAccess,
      @Body() body: Changes & { readonly label: string },
    ) {
      return this.providers
        .create(this.protocol, userId, organization, body)
        .then((each) => present(each, this.addresses));
    }

    @Get(`:${ID}`)
    @Can('organization:admin')
    @Operation({ id: `getOrganization${NAME}ProviderById`, summary: `Get an ${title}`, type: shown })
    async get(
      @ByCaller() { userId }: Caller,
      @InOrganization() organization: OrganizationAccess,
      @Param(ID) id: string,
    ) {
      return this.providers.get(this.protocol, userId, organization, id).then((each) => present(each, this.addresses));
    }

    @Patch(`:${ID}`)
    @Can('organization:admin')
    @TakesBody(update)
    @Operation({
      id: `updateOrganization${NAME}Provider`,
      summary: `Change an ${title}`,
      description: `Absent fields keep their value. With another ${settings} it is pending until somebody logs in.`,
      type: shown,
      errors: [412],
    })
    async update(
      @ByCaller() { userId }: Caller,
      @InOrganization() organization: OrganizationAccess,
      @Param(ID) id: string,
      @Body() body: Changes,
    ) {
      return this.providers
        .update(this.protocol, userId, organization, id, body)
        .then((each) => present(each, this.addresses));
    }

    @Delete(`:${ID}`)
    @Can('organization:admin')
    @Operation({
      id: `deleteOrganization${NAME}Provider`,
      summary: `Remove an ${title}`,
      description: 'Also deletes the tokens of users who logged in through it; the users stay members.',
      status: 204,
      errors: [409, 412],
    })
    async remove(
      @ByCaller() { userId }: Caller,
      @InOrganization() { id: organizationId }: OrganizationAccess,
      @Param(ID) id: string,
    ) {
      return this.providers.remove(this.protocol, userId, organizationId, id);
    }
  }
  return ProvidersController;
}

export const SamlProvidersController = providersController({
  path: 'saml',
  title: 'identity provider',
  shortTitle: 'identity provider',
  settings: 'name, certificate or address',
  protocol: SamlProtocol,
  create: CreateSamlProvider,
  update: UpdateSamlProvider,
  shown: SamlProviderBody,
  present: presentSamlProvider,
});

export const OidcProvidersController = providersController({
  path: 'oidc',
  title: 'OpenID Connect provider',
  shortTitle: 'provider',
  settings: 'issuer, client, secret, scope or domain',
  protocol: OidcProtocol,
  create: CreateOidcProvider,
  update: UpdateOidcProvider,
  shown: OidcProviderBody,
  present: presentOidcProvider,
});
