import { isIP } from 'node:net';
import { z } from 'zod';
import { serverAddresses } from '../../common/database-address.js';

const MINIMUM_SECRET_LENGTH = 32;
/*
 * Schemas of settings: each parses the text of an environment variable. Faults state the expected value, and follow the
 * name of the variable.
 */

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
  .transform((text) => ['true', '1', 'yes', 'on'].includes(text));

export const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be a whole number from ${minimum} to ${maximum}`);

export const port = whole(0, 65_535);

export const bytesUpTo = (gigabytes: number) =>
  z
    .string()
    .regex(/^\d+\s*(b|kb|mb|gb)?$/i, 'must be a size such as 500kb, 10mb or 1048576')
    .transform((text) => {
      const [, amount = '0', unit = ''] = /^(\d+)\s*([a-z]*)$/i.exec(text) ?? [];
      return Number(amount) * (SIZE_UNITS[unit.toLowerCase()] ?? 1);
    })
    .refine(
      (value) => value > 0 && value <= gigabytes * 1024 ** 3,
      `must be more than nothing and at most ${gigabytes}gb`,
    );

export const bytes = bytesUpTo(1);

const isUrl = (text: string, protocols: readonly string[]): boolean => {
  try {
    return protocols.includes(new URL(text).protocol);
  } catch {
    return false;
  }
};

/**
 * An address with a user and a password, parsed strictly: an unescaped /, ? or # in the password would end the host,
 * and leave its @ in the rest.
 */
export const loginAddress = (protocols: readonly string[], example: string) =>
  z
    .string()
    .refine(
      (text) => isUrl(text, protocols) && /^\w+:\/\/[^/?#]*([/?#][^@]*)?$/.test(text) && isDecodable(text),
      `must be an address such as ${example}, with % codes for special characters of the password (%40 for @, %2F for /, %3F for ?, %23 for #, %25 for %)`,
    );

const DATABASE_EXAMPLE = 'postgres://user:password@host:5432/database';

/** The address of a database, on one server or on several of which one accepts changes. */
export const databaseAddress = databaseServers(
  ['read-write', 'primary'],
  'must have target_session_attrs=read-write, or none: a server needs the host that accepts changes',
);

/** The address of replicas of a database. */
export const replicaAddress = databaseServers(
  ['any', 'read-only', 'standby', 'prefer-standby'],
  'must have target_session_attrs=any, or none: each host is asked by itself',
);

function databaseServers(kinds: readonly string[], advice: string) {
  return z.string().superRefine((text, context) => {
    const single = loginAddress(['postgres:', 'postgresql:'], DATABASE_EXAMPLE);
    const addresses = serverAddresses(text);
    const fault = addresses
      .map((address) => single.safeParse(address).error?.issues[0]?.message)
      .find((message) => message !== undefined);
    if (fault !== undefined) return context.addIssue({ code: 'custom', message: fault });
    if (addresses.length > 1 && addresses.some((address) => new URL(address).hostname === ''))
      return context.addIssue({ code: 'custom', message: 'must have a host before and behind each comma' });
    const wanted = new URL(addresses[0]).searchParams.get('target_session_attrs');
    if (addresses.length > 1 && wanted !== null && !kinds.includes(wanted))
      context.addIssue({ code: 'custom', message: advice });
  });
}

const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};

export const isHttpAddress = (text: string): boolean => isUrl(text, ['http:', 'https:']);

/** Completes an address without a scheme, such as `docs.example.com`. */
const completed = (text: string): string | undefined =>
  /^[\w.-]+(:\d+)?(\/[^@]*)?$/.test(text) && isHttpAddress(`https://${text}`) ? `https://${text}` : undefined;

export const httpAddress = z
  .string()
  .refine(isHttpAddress, {
    error: ({ input }) =>
      `must be an address that begins with http:// or https://, such as ${completed(String(input)) ?? 'https://docs.example.com'}`,
  })
  .transform((text) => text.replace(/\/+$/, ''));

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A list whose items are all of one kind; the fault names the other items. */
export const checkedList = (isOne: (item: string) => boolean, fault: string) =>
  list.refine((items) => items.every(isOne), {
    error: ({ input }) =>
      `${fault}; not ${(input as readonly string[])
        .filter((item) => !isOne(item))
        .map(withoutPassword)
        .join(', ')}`,
  });

const withoutPassword = (text: string): string => text.replace(/\/\/[^/]*@/, '//');

/** An IP address, or a range in CIDR notation. */
export const isAddressRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

export const isOrigin = (text: string): boolean =>
  text === '*' || (isHttpAddress(text) && new URL(text).origin === text);

/** Suggests the correct form of origins with a path, a final slash or capitals, or without a scheme. */
export function originsFault(items: readonly string[]): string {
  const addresses = items
    .filter((item) => !isOrigin(item))
    .flatMap((item) => (isHttpAddress(item) ? item : (completed(item) ?? [])));
  const meant =
    addresses.length === 0 ? '' : `: write ${addresses.map((address) => new URL(address).origin).join(', ')}`;
  return `must be * or a comma-separated list of origins such as https://docs.example.com, without a path or a slash at the end${meant}`;
}

export const secretKeys = list.refine(
  (keys) => keys.length > 0 && keys.every((key) => key.length >= MINIMUM_SECRET_LENGTH),
  `must be one key or a comma-separated list of keys of at least ${MINIMUM_SECRET_LENGTH} characters each; openssl rand -hex 32 makes one`,
);

/** The fault of a setting that another setting requires: `MAIL_FROM is required with SMTP_URL`. */
export function required(values: Readonly<Record<string, unknown>>, setting: string, by: string): string[] {
  const isAsked = values[by] !== undefined && values[by] !== false;
  return isAsked && values[setting] === undefined
    ? [`${environmentName(setting)} is required with ${environmentName(by)}`]
    : [];
}

/** `databaseUrl` -> `DATABASE_URL`. */
export const environmentName = (setting: string): string =>
  setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
