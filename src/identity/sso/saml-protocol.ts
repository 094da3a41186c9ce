import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { invalid } from '../../kernel/common/errors.js';
import { certificateFault, certificateFingerprints } from './domain/certificate.js';
import { entityIdFault, ssoUrlFault } from './domain/web-addresses.js';
import type { Protocol, Settings } from './protocol.js';
import type { SamlSettings, UpdateSamlProvider } from './saml.schema.js';

/** SAML 2.0: responses are signed XML, which browsers post as a form. */
@Injectable()
export class SamlProtocol implements Protocol<SamlSettings, UpdateSamlProvider> {
  readonly name = 'saml';
  readonly columns = { entityID: 'entity_id', certificate: 'certificate', ssoURL: 'sso_url' };
  readonly empty = { entityID: null, certificate: null, ssoURL: null };

  constructor(
    private readonly clock: Clock,
    private readonly addresses: Addresses,
  ) {}

  async check({ entityID, certificate, ssoURL }: UpdateSamlProvider): Promise<void> {
    const { own } = this.addresses;
    const faults = {
      entityID: entityID === undefined ? undefined : entityIdFault(entityID, own),
      ssoURL: ssoURL === undefined ? undefined : ssoUrlFault(ssoURL, own),
      certificate: certificate === undefined ? undefined : certificateFault(certificate, this.clock.now()),
    };
    for (const [path, fault] of Object.entries(faults)) if (fault !== undefined) throw invalid(path, fault);
  }

  settingsAfter(
    before: Settings<SamlSettings>,
    { entityID, certificate, ssoURL }: UpdateSamlProvider,
  ): Settings<SamlSettings> {
    return {
      entityID: entityID ?? before.entityID,
      certificate: certificate?.trim() ?? before.certificate,
      ssoURL: ssoURL ?? before.ssoURL,
    };
  }

  told({ entityID, certificate, ssoURL }: Settings<SamlSettings>): Readonly<Record<string, unknown>> {
    return { entityID, certificate: certificate === null ? null : certificateFingerprints(certificate), ssoURL };
  }
}
