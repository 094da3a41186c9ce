import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { CLOCK_SKEW } from './domain/assertion.js';
import { readCertificates } from './domain/certificate.js';
import { SamlFault } from './domain/saml-fault.js';
import type { CompleteProvider } from './saml-providers.service.js';

interface Service {
  readonly acsURL: string;
  readonly entityID: string;
}

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/**
 * What the SAML library does for one provider: it writes requests and metadata, and checks signatures. Which request an answer
 * belongs to, and whether it was used before, is kept in the database, so it is not asked of the library's memory.
 */
function library(provider: Pick<CompleteProvider, 'certificate' | 'entityID' | 'ssoURL'>, service: Service, requestId?: string): SAML {
  return new SAML({
    idpCert: [...readCertificates(provider.certificate)],
    idpIssuer: provider.entityID,
    entryPoint: provider.ssoURL,
    issuer: service.entityID,
    audience: service.entityID,
    callbackUrl: service.acsURL,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW,
    // One of both must be signed, whichever the provider signs; the library reads from that one only.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
  });
}

/** The address of the identity provider with a request for a login of the given id, which comes back as its relay state too. */
export function loginAddress(provider: CompleteProvider, service: Service, requestId: string): Promise<string> {
  return library(provider, service, requestId).getAuthorizeUrlAsync(requestId, undefined, {});
}

/** The assertion as the bytes that a valid signature of the provider covers, and the name that the library reads in them. Throws `SamlFault`. */
export async function verifiedAssertion(provider: CompleteProvider, service: Service, xml: string): Promise<{ readonly xml: string; readonly nameId: string }> {
  const { profile } = await library(provider, service)
    .validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') })
    .catch((error: unknown) => {
      const reason = reasonOf(error);
      throw new SamlFault(`The answer could not be verified: ${reason}${/signature/i.test(reason) ? '. Compare the certificate with that of the identity provider' : ''}`);
    });
  const signed = profile?.getAssertionXml?.();
  if (!profile || signed === undefined) throw new SamlFault('The answer holds no signed assertion');
  return { xml: signed, nameId: profile.nameID };
}

/** The first words of what the library says, which are its own. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^[\w ]{1,60}/.exec(message)?.[0].trim() ?? 'it could not be read';
}

/** The metadata that identity providers read about us. */
export function serviceMetadata(id: string, { entityID, acsURL }: Service): string {
  return generateServiceProviderMetadata({ issuer: entityID, callbackUrl: acsURL, identifierFormat: EMAIL_FORMAT, wantAssertionsSigned: true, generateUniqueId: () => `_${id}` });
}
