/** One way in which what a provider publishes of itself is not as it must be. */
export interface SettingsCase {
  readonly name: string;
  readonly reason: RegExp;
  readonly settings: (published: Readonly<Record<string, unknown>>) => unknown;
  /** Whether it shows only when the browser comes back. */
  readonly late?: true;
}

const other =
  (changes: Readonly<Record<string, unknown>>): SettingsCase['settings'] =>
  (published) => ({ ...published, ...changes });

export const SETTINGS: readonly SettingsCase[] = [
  { name: 'the name of another issuer', settings: other({ issuer: 'https://other.test' }), reason: /issuer/ },
  {
    name: 'another spelling of the issuer',
    settings: (published) => ({ ...published, issuer: `${String(published['issuer'])}/` }),
    reason: /another name/,
  },
  { name: 'no issuer', settings: other({ issuer: undefined }), reason: /issuer/ },
  { name: 'no place to log in', settings: other({ authorization_endpoint: undefined }), reason: /where to log in/ },
  { name: 'no keys', settings: other({ jwks_uri: undefined }), reason: /with which keys/ },
  { name: 'no JSON', settings: () => 'hello', reason: /cannot be read/ },
  { name: 'a list', settings: () => [], reason: /cannot be read/ },
  { name: 'more than they can be', settings: other({ padding: 'x'.repeat(300 * 1024) }), reason: /larger/ },
  {
    name: 'a script where people should log in',
    settings: other({ authorization_endpoint: 'javascript:alert(1)' }),
    reason: /cannot be read/,
  },
  {
    name: 'a place for codes in a private network',
    settings: other({ token_endpoint: 'http://10.0.0.1/token' }),
    reason: /not allowed/,
    late: true,
  },
  {
    name: 'a place for codes at the metadata of the cloud',
    settings: other({ token_endpoint: 'http://169.254.169.254/latest' }),
    reason: /not allowed/,
    late: true,
  },
  {
    name: 'keys in a private network',
    settings: other({ jwks_uri: 'http://192.168.0.1/keys' }),
    reason: /not allowed/,
    late: true,
  },
  {
    name: 'keys in a file',
    settings: other({ jwks_uri: 'file:///etc/passwd' }),
    reason: /could not be verified/,
    late: true,
  },
  { name: 'keys at no address', settings: other({ jwks_uri: 'keys' }), reason: /could not be verified/, late: true },
  {
    name: 'that tokens need no signature',
    settings: other({ id_token_signing_alg_values_supported: ['none', 'HS256'] }),
    reason: /could not be verified/,
    late: true,
  },
];
