import { createHash } from 'node:crypto';

const TIME_LENGTH = 8;
const HASH_LENGTH = 12;

/** The id of content in a space that was made from another, as the function `copied_id` of the database gives it. */
export const copiedId = (space: string, id: string): string =>
  id.slice(0, TIME_LENGTH) +
  createHash('sha256').update(`${space} ${id}`).digest('base64').replace(/[+/=]/g, '').slice(0, HASH_LENGTH);
