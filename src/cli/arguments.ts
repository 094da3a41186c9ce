import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';

const DAY_MS = 86_400_000;

/** Parses an e-mail address, or throws a usage error. */
export function emailArgument(text: string): string {
  const { success, data } = z.email().safeParse(text.trim());
  if (!success) throw new InvalidArgumentError('must be an e-mail address');
  return data;
}

/** Parses a number of days from now such as `90d`, or a date such as `2027-01-31`, to a time in the future. */
export function expiryArgument(text: string, now: Date = new Date()): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const date =
    days !== undefined
      ? new Date(now.getTime() + Number(days) * DAY_MS)
      : /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text)
        ? new Date(text)
        : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('must be days such as 90d or a date such as 2027-01-31');
  if (date <= now) throw new InvalidArgumentError('must lie in the future');
  return date;
}

/** Parses a moment such as `2027-01-31T12:00:00Z`, or a date, whose end is meant. */
export function timeArgument(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = day || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = new Date(day ? `${text}T23:59:59.999Z` : text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('must be a time such as 2027-01-31T12:00:00Z, or a date such as 2027-01-31');
  return time;
}

/** Parses the path of a folder on this machine to its real path. */
export function folderArgument(path: string): string {
  try {
    const folder = realpathSync(resolve(path));
    if (statSync(folder).isDirectory()) return folder;
  } catch {
    // A path that leads nowhere, in circles, or through a folder that may not be read.
  }
  throw new InvalidArgumentError('must be a folder that exists');
}

/** Parses the number of a port. */
export function portArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('must be a port from 0 to 65535');
  return Number(text);
}

/** Parses a count from 1 to 9999. */
export function countArgument(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('must be a number from 1 to 9999');
  return Number(text);
}

/** Parses the title of an organization. */
export function titleArgument(text: string): string {
  const title = text.trim();
  if (title.length < 2 || title.length > 255) throw new InvalidArgumentError('must have 2 to 255 characters');
  return title;
}
