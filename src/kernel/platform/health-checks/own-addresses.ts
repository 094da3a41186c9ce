import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { codeOf, reasonOf } from '../operator-error.js';
import type { CheckFinding } from './health-checks.points.js';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Days before its end in which a certificate should have been replaced: those of 90 days are a month before. */
const SHORT_DAYS = 14;

interface SeenCertificate {
  readonly validTo: Date;
  /** The reason why clients of this machine do not trust it. */
  readonly distrust: string | undefined;
}

/** The finding about the name of an address: that it resolves, as programs of this machine resolve it. */
export async function nameFinding(setting: string, address: string): Promise<CheckFinding> {
  const host = hostOf(new URL(address));
  if (isIP(host) !== 0) return { level: 'ok', message: `${setting} names the address ${host}` };
  try {
    const found = await lookup(host, { all: true });
    return { level: 'ok', message: `${setting}: ${host} resolves to ${found.map((each) => each.address).join(', ')}` };
  } catch (error) {
    return {
      level: 'fault',
      message: `${setting}: the name ${host} does not resolve (${codeOf(error) ?? reasonOf(error)})`,
      advice: `Give ${host} a record in DNS, or check ${setting}`,
    };
  }
}

/** The finding about the certificate that answers at an https address. Nothing is sent but the name of the host. */
export async function certificateFinding(address: string): Promise<CheckFinding> {
  const url = new URL(address);
  const name = url.host;
  try {
    const { validTo, distrust } = await certificateAt(hostOf(url), Number(url.port || 443));
    const days = Math.floor((validTo.getTime() - Date.now()) / DAY_MS);
    if (days < 0)
      return { level: 'fault', message: `The certificate of ${name} ended on ${dayOf(validTo)}`, advice: RENEW };
    if (distrust !== undefined)
      return { level: 'fault', message: `The certificate of ${name} is not trusted (${distrust})`, advice: REPLACE };
    if (days < SHORT_DAYS)
      return {
        level: 'warning',
        message: `The certificate of ${name} ends on ${dayOf(validTo)}, in ${days} days`,
        advice: RENEW,
      };
    return { level: 'ok', message: `The certificate of ${name} is valid until ${dayOf(validTo)}` };
  } catch (error) {
    return {
      level: 'warning',
      message: `No certificate of ${name} can be seen from this machine (${codeOf(error) ?? reasonOf(error)})`,
      advice: `Check from outside whether https://${name} answers`,
    };
  }
}

const RENEW = 'Look into the log of what renews it: the proxy, or an ACME client';
const REPLACE = 'Install a certificate for this name with all certificates between it and its authority';

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function certificateAt(host: string, port: number): Promise<SeenCertificate> {
  return new Promise((resolve, reject) => {
    // One that is not trusted is looked at as well.
    const socket = connect({ host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      const error: unknown = socket.authorizationError;
      resolve({ validTo: new Date(valid_to), distrust: error ? reasonOf(error) : undefined });
      socket.destroy();
    });
  });
}
