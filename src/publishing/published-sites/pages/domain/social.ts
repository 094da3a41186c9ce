/** The account addresses of each platform; `{}` is the handle. */
const ADDRESSES = {
  twitter: 'https://x.com/{}',
  instagram: 'https://www.instagram.com/{}',
  facebook: 'https://www.facebook.com/{}',
  linkedin: 'https://www.linkedin.com/{}',
  github: 'https://github.com/{}',
  discord: 'https://discord.gg/{}',
  slack: 'https://{}.slack.com',
  youtube: 'https://www.youtube.com/@{}',
  tiktok: 'https://www.tiktok.com/@{}',
  reddit: 'https://www.reddit.com/{}',
  bluesky: 'https://bsky.app/profile/{}',
  threads: 'https://www.threads.net/@{}',
  medium: 'https://medium.com/@{}',
} as const;

export type Platform = keyof typeof ADDRESSES | 'mastodon';

const NAMES: Readonly<Record<Platform, string>> = {
  twitter: 'X',
  instagram: 'Instagram',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  discord: 'Discord',
  slack: 'Slack',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  reddit: 'Reddit',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  threads: 'Threads',
  medium: 'Medium',
};
/** Names of icons, if they differ from that of the platform. */
const ICONS: Readonly<Partial<Record<Platform, string>>> = {
  twitter: 'x-twitter',
  facebook: 'facebook-f',
  linkedin: 'linkedin-in',
  reddit: 'reddit-alien',
};

/** The kinds of accounts on some platforms, as a prefix of the handle, and the usual kind. */
const KINDS: Readonly<Partial<Record<Platform, RegExp>>> = {
  linkedin: /^(?:(company|in|school|showcase)\/)?(.+)$/i,
  reddit: /^(?:(r|u|user)\/)?(.+)$/i,
};
const USUAL_KINDS: Readonly<Partial<Record<Platform, string>>> = { linkedin: 'company', reddit: 'r' };

/** An account as a link. */
export interface SocialLink {
  readonly name: string;
  readonly icon: string;
  readonly href: string;
}

/**
 * Returns the link of a handle, with or without `@`. For Mastodon it includes the server, as in `@name@server`; for
 * LinkedIn it may begin with `company/` or `in/`, and for Reddit with `r/` or `u/`. Undefined for an invalid handle.
 */
export function socialLink(platform: Platform, handle: string): SocialLink | undefined {
  const href = addressOf(platform, handle.trim().replace(/^[@/]+|\/+$/g, ''));
  return href === undefined
    ? undefined
    : { name: NAMES[platform], icon: `brands/${ICONS[platform] ?? platform}`, href };
}

function addressOf(platform: Platform, name: string): string | undefined {
  if (platform === 'mastodon') {
    const [, user, server] = /^([\w.-]+)@([a-z0-9.-]+\.[a-z]{2,})$/i.exec(name) ?? [];
    return user === undefined || server === undefined ? undefined : `https://${server.toLowerCase()}/@${user}`;
  }
  const [, kind = USUAL_KINDS[platform] ?? '', own] = (KINDS[platform] ?? /^()(.+)$/).exec(name) ?? [];
  if (own === undefined || !(platform === 'slack' ? /^[a-z0-9-]+$/i : /^[\p{L}\p{N}._-]+$/u).test(own))
    return undefined;
  return ADDRESSES[platform].replace('{}', () => (kind === '' ? '' : `${kind}/`) + encodeURIComponent(own));
}
