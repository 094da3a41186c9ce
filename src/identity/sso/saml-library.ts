import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { EMAIL_FORMAT } from './domain/assertion.js';
import { certificateFingerprints, readCertificates } from './domain/certificate.js';
import { comparison, LoginFault, type Comparison } from './domain/login-fault.js';
import type { SamlSettings } from './saml.schema.js';

interface Service {
  readonly acsURL: string;
  readonly entityID: string;
}

/** Matches the certificate inside a response, which is never trusted. */
const CERTIFICATE = /<(?:\w+:)?X509Certificate>([^<]{1,20000})</;
/** Disables the library's check of times. */
const NO_TIMES = -1;

/**
 * Configures the SAML library for one provider: it writes requests and metadata, and verifies signatures. The request
 * that a response belongs to, and whether it was used before, are stored in the database instead of the library's
 * memory; audience and times are read from the signed bytes by our own code, which can report the expected values.
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
    // Either the assertion or the response must be signed, whichever the provider signs; the library reads from the
    // signed one only.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
  });
}

/**
 * The address of the identity provider with a request for a login of the given id, which is returned as its relay state
 * too.
 */
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

/** The configured certificate and the one in a response, if they differ. */
function certificates({ certificate }: SamlSettings, xml: string): Comparison[] {
  const hashes = (text: string): string[] => certificateFingerprints(text).map((each) => each.replace('SHA-256 ', ''));
  const expected = hashes(certificate);
  const received = hashes(CERTIFICATE.exec(xml)?.[1] ?? '');
  return received.some((each) => expected.includes(each))
    ? []
    : [comparison('SHA-256 of the certificate', expected.join(', '), received)];
}

/** Our metadata for identity providers: they may sign the assertion or the whole response, as the protocol allows. */
export function serviceMetadata(id: string, { entityID, acsURL }: Service): string {
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: EMAIL_FORMAT,
    wantAssertionsSigned: false,
    generateUniqueId: () => `_${id}`,
  });
}
