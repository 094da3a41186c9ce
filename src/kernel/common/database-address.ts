const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** The addresses of the single servers that an address such as `postgres://user@a:5432,b:5433/docs` names, in order. */
export function serverAddresses(address: string): [string, ...string[]] {
  const [, before = '', hosts = '', rest = ''] = PARTS.exec(address) ?? [];
  const [first = '', ...others] = hosts.split(',');
  return [`${before}${first}${rest}`, ...others.map((host) => `${before}${host}${rest}`)];
}
