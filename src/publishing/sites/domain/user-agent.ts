export const BROWSERS = ['unknown', 'chrome', 'firefox', 'safari', 'edge', 'ie', 'opera'] as const;
export const DEVICES = ['unknown', 'desktop', 'tablet', 'mobile'] as const;
export const SYSTEMS = ['unknown', 'windows', 'macos', 'linux', 'android', 'ios'] as const;
export const BOTS = [
  'unknown',
  'googlebot',
  'bingbot',
  'duckduckbot',
  'facebookbot',
  'applebot',
  'chatgpt',
  'anthropic',
] as const;

/** The client of a reader, as far as the header identifies it; people have no `bot`. */
export interface UserAgent {
  readonly browser: (typeof BROWSERS)[number];
  readonly device: (typeof DEVICES)[number];
  readonly os: (typeof SYSTEMS)[number];
  readonly bot?: (typeof BOTS)[number];
}

/** In this order: many browsers include the names of others. */
const BROWSER_MARKS: readonly (readonly [RegExp, UserAgent['browser']])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'edge'],
  [/\bOPR\/|\bOpera\b/, 'opera'],
  [/\bMSIE |\bTrident\//, 'ie'],
  [/\bFirefox\/|\bFxiOS\//, 'firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'chrome'],
  [/\bSafari\//, 'safari'],
];
const SYSTEM_MARKS: readonly (readonly [RegExp, UserAgent['os']])[] = [
  [/\bAndroid\b/, 'android'],
  [/\biPhone\b|\biPad\b|\biPod\b/, 'ios'],
  [/\bWindows\b/, 'windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macos'],
  [/\bLinux\b|\bCrOS\b|\bX11\b/, 'linux'],
];
const BOT_MARKS: readonly (readonly [RegExp, (typeof BOTS)[number]])[] = [
  [/googlebot|google-inspectiontool/i, 'googlebot'],
  [/bingbot/i, 'bingbot'],
  [/duckduckbot|duckassistbot/i, 'duckduckbot'],
  [/facebookexternalhit|facebookbot|meta-external/i, 'facebookbot'],
  [/applebot/i, 'applebot'],
  [/chatgpt|gptbot|oai-searchbot/i, 'chatgpt'],
  [/claude|anthropic/i, 'anthropic'],
  [/bot\b|crawl|spider|slurp|\bcurl\/|\bwget\/|python-requests|headless/i, 'unknown'],
];

/** Parses the User-Agent header of browsers and robots. */
export function readUserAgent(header: string): UserAgent {
  const bot = first(BOT_MARKS, header);
  return {
    browser: first(BROWSER_MARKS, header) ?? 'unknown',
    os: first(SYSTEM_MARKS, header) ?? 'unknown',
    device: deviceOf(header),
    ...(bot !== undefined && { bot }),
  };
}

function deviceOf(header: string): UserAgent['device'] {
  if (/\biPad\b|\bTablet\b/.test(header) || (/\bAndroid\b/.test(header) && !/\bMobile\b/.test(header))) return 'tablet';
  if (/\bMobile\b|\biPhone\b|\biPod\b/.test(header)) return 'mobile';
  return /\bWindows\b|\bMacintosh\b|\bX11\b|\bCrOS\b/.test(header) ? 'desktop' : 'unknown';
}

function first<Name>(marks: readonly (readonly [RegExp, Name])[], header: string): Name | undefined {
  return marks.find(([mark]) => mark.test(header))?.[1];
}
