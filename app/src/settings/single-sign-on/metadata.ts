const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
/** The service takes one certificate, or two while an identity provider changes over. */
const MOST_CERTIFICATES = 2;
/** Characters; the metadata of one identity provider has some thousands. */
export const MOST_METADATA = 1_000_000;

export interface Metadata {
  readonly entityID: string;
  readonly ssoURL: string;
  readonly certificate: string;
}

/** The settings in the metadata of an identity provider (SAML 2.0); undefined where they are not all there. */
export function readMetadata(xml: string): Metadata | undefined {
  if (xml.length > MOST_METADATA) return undefined;
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const [role] = document.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor');
  const entityID = role?.parentElement?.getAttribute('entityID')?.trim() ?? '';
  const address = elementsIn(role, METADATA, 'SingleSignOnService').find(
    (service) => service.getAttribute('Binding') === REDIRECT,
  );
  const ssoURL = address?.getAttribute('Location')?.trim() ?? '';
  const certificates = elementsIn(role, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => elementsIn(key, SIGNATURE, 'X509Certificate'))
    .map(({ textContent }) => pem(textContent ?? ''));
  const certificate = [...new Set(certificates)].slice(0, MOST_CERTIFICATES).join('\n');
  return entityID === '' || ssoURL === '' || certificate === '' ? undefined : { entityID, ssoURL, certificate };
}

const elementsIn = (parent: Element | undefined, namespace: string, name: string): Element[] =>
  parent ? [...parent.getElementsByTagNameNS(namespace, name)] : [];

/** Base64 with any spaces as PEM. */
function pem(base64: string): string {
  const lines = base64.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}
