import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { EMAIL_FORMAT } from './domain/assertion.js';
import { certificateFingerprints, readCertificates } from './domain/certificate.js';
import { comparison, LoginFault, type Comparison } from './domain/login-fault.js';
import type { SamlSettings } from './saml.schema.js';

interface Service {
  readonly acsURL: string;
  readonly entityID: string;
}

/** Of the certificate that an answer brings along, which counts for nothing. */
const CERTIFICATE = /<(?:\w+:)?X509Certificate>([^<]{1,20000})</;
/** Lets the library leave times alone. */
const NO_TIMES = -1;

/**
 * What the SAML library does for one provider: it writes requests and metadata, and checks signatures. Which request an answer
 * belongs to, and whether it was used before, is kept in the database, so it is not asked of the library's memory; whom the
 * assertion is for, and when, is read of the signed bytes by ourselves, who can tell what was expected.
 */
function library(provider: SamlSettings, service: Service, requestId?: string): SAML {
  return new SAML({
    idpCert: [...readCertificates(provider.certificate)],
    idpIssuer: provider.entityID,
    entryPoint: provider.ssoURL,
    issuer: service.entityID,
    audience: false,
    callbackUrl: service.acsURL,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: NO_TIMES,
    // One of both must be signed, whichever the provider signs; the library reads from that one only.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
  });
}

/** The address of the identity provider with a request for a login of the given id, which comes back as its relay state too. */
export function authnRequestUrl(provider: SamlSettings, service: Service, requestId: string): Promise<string> {
  return library(provider, service, requestId).getAuthorizeUrlAsync(requestId, undefined, {});
}

/** The assertion as the bytes that a valid signature of the provider covers, and the name that the library reads in them. Throws `LoginFault`. */
export async function verifiedAssertion(
  provider: SamlSettings,
  service: Service,
  xml: string,
): Promise<{ readonly xml: string; readonly nameId: string }> {
  const { profile } = await library(provider, service)
    .validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') })
    .catch((error: unknown) => {
      const message = String(error);
      if (/NotOnOrAfter|IssueInstant/.test(message))
        throw new LoginFault('The answer could not be verified: a time of the assertion is missing, or not a time');
      if (!/signature/i.test(message))
        throw new LoginFault('The answer could not be verified: it is not as the standard says');
      throw new LoginFault(
        'The answer could not be verified: its signature does not fit the certificate that is set here, or it was changed on its way. Compare the certificate with that of the identity provider',
        {
          compared: certificates(provider, xml),
        },
      );
    });
  const signed = profile?.getAssertionXml?.();
  if (!profile || signed === undefined) throw new LoginFault('The answer holds no signed assertion');
  return { xml: signed, nameId: profile.nameID };
}

/** The certificate that is set and the one that an answer brings along, if they differ. */
function certificates({ certificate }: SamlSettings, xml: string): Comparison[] {
  const hashes = (text: string): string[] => certificateFingerprints(text).map((each) => each.replace('SHA-256 ', ''));
  const expected = hashes(certificate);
  const received = hashes(CERTIFICATE.exec(xml)?.[1] ?? '');
  return received.some((each) => expected.includes(each))
    ? []
    : [comparison('SHA-256 of the certificate', expected.join(', '), received)];
}

/** The metadata that identity providers read about us: they may sign the assertion or the whole answer, as the protocol has it. */
export function serviceMetadata(id: string, { entityID, acsURL }: Service): string {
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: EMAIL_FORMAT,
    wantAssertionsSigned: false,
    generateUniqueId: () => `_${id}`,
  });
}
