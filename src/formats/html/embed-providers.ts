import { webAddress } from '../../kernel/common/web-address.js';

/** A frame of a service in which its content plays or is shown. */
export interface Player {
  /** The address of the frame; never that of the page which the author embedded. */
  readonly src: string;
  readonly origin: string;
  /** The height of the frame follows its width, or is that of a player of sounds. */
  readonly shape: 'video' | 'audio';
}

/** A service whose content is embedded. */
export interface EmbedProvider {
  readonly name: string;
  /** The address that describes its addresses (https://oembed.com). */
  readonly oembed?: string;
  /** Hosts without `www.` and `m.`. */
  readonly hosts: readonly string[];
  /** The address of the player for one of its pages; undefined for pages that have none. */
  readonly frame?: (url: URL) => string | undefined;
  readonly shape?: Player['shape'];
  /** The origins of its players. */
  readonly origins?: readonly string[];
}

const matched = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

/** Seconds of `90`, `90s` or `1h2m3s`. */
function secondsOf(time: string | null): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? '') ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function youtubeFrame({ hostname, pathname, searchParams }: URL): string | undefined {
  const list = searchParams.get('list');
  const id = hostname.endsWith('youtu.be')
    ? pathname.slice(1)
    : (matched(pathname, /^\/(?:embed|shorts|live|v)\/([\w-]+)/) ?? searchParams.get('v') ?? '');
  const start = secondsOf(searchParams.get('t') ?? searchParams.get('start'));
  const from = 'https://www.youtube-nocookie.com/embed';
  if (/^[\w-]{11}$/.test(id)) return `${from}/${id}${start > 0 ? `?start=${start}` : ''}`;
  return pathname === '/playlist' && /^[\w-]{10,64}$/.test(list ?? '') ? `${from}/videoseries?list=${list}` : undefined;
}

function vimeoFrame({ pathname, searchParams }: URL): string | undefined {
  const [, id, inPath] = /^\/(?:video\/)?(\d{1,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? [];
  const hash = inPath ?? matched(searchParams.get('h') ?? '', /^([\da-f]{6,20})$/);
  if (id === undefined) return undefined;
  return `https://player.vimeo.com/video/${id}?dnt=1${hash === undefined ? '' : `&h=${hash}`}`;
}

const PROVIDERS: readonly EmbedProvider[] = [
  {
    name: 'YouTube',
    hosts: ['youtube.com', 'youtu.be', 'music.youtube.com', 'youtube-nocookie.com'],
    oembed: 'https://www.youtube.com/oembed',
    frame: youtubeFrame,
    origins: ['https://www.youtube-nocookie.com'],
  },
  {
    name: 'Vimeo',
    hosts: ['vimeo.com', 'player.vimeo.com'],
    oembed: 'https://vimeo.com/api/oembed.json',
    frame: vimeoFrame,
    origins: ['https://player.vimeo.com'],
  },
  {
    name: 'Loom',
    hosts: ['loom.com'],
    oembed: 'https://www.loom.com/v1/oembed',
    frame: ({ pathname }) => {
      const id = matched(pathname, /^\/(?:share|embed)\/(?:[\w-]*-)?([\da-f]{32})\/?$/);
      return id && `https://www.loom.com/embed/${id}`;
    },
    origins: ['https://www.loom.com'],
  },
  {
    name: 'Dailymotion',
    hosts: ['dailymotion.com', 'dai.ly'],
    oembed: 'https://www.dailymotion.com/services/oembed',
    frame: ({ hostname, pathname }) => {
      const id = matched(pathname, hostname === 'dai.ly' ? /^\/(\w{3,20})$/ : /^\/video\/(\w{3,20})$/);
      return id && `https://geo.dailymotion.com/player.html?video=${id}`;
    },
    origins: ['https://geo.dailymotion.com'],
  },
  {
    name: 'Spotify',
    hosts: ['open.spotify.com'],
    oembed: 'https://open.spotify.com/oembed',
    frame: ({ pathname }) => {
      const path = matched(
        pathname,
        /^\/(?:intl-[a-z-]{2,5}\/)?(?:embed\/)?((?:track|album|playlist|episode|show|artist)\/[A-Za-z\d]{10,40})$/,
      );
      return path && `https://open.spotify.com/embed/${path}`;
    },
    shape: 'audio',
    origins: ['https://open.spotify.com'],
  },
  {
    name: 'SoundCloud',
    hosts: ['soundcloud.com'],
    oembed: 'https://soundcloud.com/oembed',
    frame: ({ pathname }) =>
      /^\/[\w-]+\/[\w-]+(\/[\w-]+)?\/?$/.test(pathname)
        ? `https://w.soundcloud.com/player/?url=${encodeURIComponent(`https://soundcloud.com${pathname}`)}`
        : undefined,
    shape: 'audio',
    origins: ['https://w.soundcloud.com'],
  },
  {
    name: 'Figma',
    hosts: ['figma.com'],
    oembed: 'https://www.figma.com/api/oembed',
    frame: ({ pathname, search }) =>
      /^\/(?:file|design|proto|board|slides)\/[A-Za-z\d]{10,40}(?:\/|$)/.test(pathname)
        ? `https://www.figma.com/embed?embed_host=bindery&url=${encodeURIComponent(`https://www.figma.com${pathname}${search}`)}`
        : undefined,
    origins: ['https://www.figma.com'],
  },
  {
    name: 'CodePen',
    hosts: ['codepen.io'],
    oembed: 'https://codepen.io/api/oembed',
    frame: ({ pathname }) => {
      const [, user, id] = /^\/([\w-]{1,60})\/(?:pen|embed|full|details)\/([A-Za-z\d]{4,40})\/?$/.exec(pathname) ?? [];
      return id && `https://codepen.io/${user}/embed/${id}?default-tab=result`;
    },
    origins: ['https://codepen.io'],
  },
  {
    name: 'CodeSandbox',
    hosts: ['codesandbox.io'],
    oembed: 'https://codesandbox.io/oembed',
    frame: ({ pathname }) => {
      const id = matched(pathname, /^\/(?:s|embed|p\/sandbox)\/([\w-]{3,120})\/?$/);
      return id && `https://codesandbox.io/embed/${id}`;
    },
    origins: ['https://codesandbox.io'],
  },
  { name: 'X', hosts: ['x.com', 'twitter.com'], oembed: 'https://publish.twitter.com/oembed' },
  { name: 'TikTok', hosts: ['tiktok.com'], oembed: 'https://www.tiktok.com/oembed' },
  { name: 'Reddit', hosts: ['reddit.com'], oembed: 'https://www.reddit.com/oembed' },
  { name: 'Flickr', hosts: ['flickr.com'], oembed: 'https://www.flickr.com/services/oembed' },
  { name: 'GitHub Gist', hosts: ['gist.github.com'] },
];

const BY_HOST = new Map(PROVIDERS.flatMap((provider) => provider.hosts.map((host) => [host, provider] as const)));

/** All origins of players. */
export const PLAYER_ORIGINS: readonly string[] = PROVIDERS.flatMap(({ origins = [] }) => origins);

/** The known service of an address, and its player for it. */
export function embedProviderOf(
  address: string,
): { readonly provider: EmbedProvider; readonly player?: Player } | undefined {
  const url = webAddress(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.port !== '' || url.username !== '') return undefined;
  const provider = BY_HOST.get(url.hostname.replace(/^(?:www|m)\./, ''));
  const src = provider?.frame?.(url);
  if (!provider || src === undefined) return provider && { provider };
  return { provider, player: { src, origin: new URL(src).origin, shape: provider.shape ?? 'video' } };
}
