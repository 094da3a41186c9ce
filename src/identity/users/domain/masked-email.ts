/**
 * A masked address for logs: recognizable for people who know it, and unusable for sending mail: `a***@example.com`.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}***${email.slice(at)}`;
}
