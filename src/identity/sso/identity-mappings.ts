import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ROLES, storedLevel } from '../../kernel/common/roles.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { LoginFault } from './domain/login-fault.js';
import { displayName, type AssertedPerson } from './domain/person.js';
import { IDENTITY_MAPPINGS, type IdentityMapping, type MappedIdentity } from './sso.points.js';
import type { AdmittedPerson, CompleteProvider } from './protocol.js';

const MAX_TEAMS = 100;

/** Applies the identity mappings of external modules. */
@Injectable()
export class IdentityMappings implements OnModuleInit {
  private readonly log = new Logger(IdentityMappings.name);
  private mappings: readonly IdentityMapping[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly modules: ModuleRef,
  ) {}

  /** External modules are complete only after this is created. */
  onModuleInit(): void {
    this.mappings = this.registry
      .contributionsTo(IDENTITY_MAPPINGS)
      .map((mapping) => this.modules.get(mapping, { strict: false }));
  }

  /**
   * Returns the person as a login admits them. Throws `LoginFault` if a mapping refuses them, fails, or returns an
   * invalid value.
   */
  async apply(
    { id: providerId, organizationId, protocol }: CompleteProvider<unknown>,
    asserted: AssertedPerson,
  ): Promise<AdmittedPerson> {
    let person: AdmittedPerson = { email: asserted.email, displayName: asserted.displayName };
    for (const mapping of this.mappings) {
      const mapped = await this.ask(mapping, { ...asserted, organizationId, providerId, protocol });
      if (mapped?.refusal !== undefined) throw new LoginFault(mapped.refusal, { person });
      person = mapped ? joined(person, mapped) : person;
    }
    return person;
  }

  private async ask(
    mapping: IdentityMapping,
    identity: Parameters<IdentityMapping['map']>[0],
  ): Promise<MappedIdentity | undefined> {
    try {
      return await mapping.map(identity);
    } catch (error) {
      const name = mapping.constructor.name;
      this.log.error(`${name} failed`, error instanceof Error ? error.stack : String(error));
      throw new LoginFault(
        `The identity mapping ${name} failed: an administrator of the server finds the reason in its log`,
      );
    }
  }
}

function joined(person: AdmittedPerson, { displayName: name, role, teams }: MappedIdentity): AdmittedPerson {
  if (role !== undefined && role !== null && !ROLES.includes(role))
    throw new LoginFault(`An identity mapping gives the role ${JSON.stringify(role)}, which is none`);
  if (teams && teams.length > MAX_TEAMS) throw new LoginFault(`An identity mapping gives more than ${MAX_TEAMS} teams`);
  return {
    ...person,
    displayName: displayName(name) ?? person.displayName,
    ...(role !== undefined && { role: storedLevel(role) }),
    ...(teams && { teams: [...new Set(teams)] }),
  };
}
