import { codeOf } from './operator-error.js';

/** Tells whether a process with that number exists, whoever owns it; false for a number that none can have. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked, but exists.
    return codeOf(error) === 'EPERM';
  }
}
