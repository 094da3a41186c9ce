import { createPrivateKey, type KeyObject } from 'node:crypto';

/** An installation of a GitHub App, and the key by which the app is known. */
export interface GitHubApp {
  readonly appId: string;
  readonly installationId: string;
  /** As PEM. */
  readonly privateKey: string;
}

const LEAST_BITS = 2048;

/** The private key of an app, as PEM of PKCS #1 (as GitHub makes them) or PKCS #8; undefined for any other text. */
export function appKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= LEAST_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
