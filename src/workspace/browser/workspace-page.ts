import { h } from 'hastscript';
import { standalonePage } from '../../kernel/platform/http/standalone-page.js';

/** The facts of its surroundings that the page of the workspace needs. */
export interface PageSurroundings {
  /** The path of the workspace, without a slash at the end. */
  readonly base: string;
  readonly nonce: string;
  /** Places at which modules have screens: at others the workspace need not ask for them. */
  readonly screenPlaces: readonly string[];
}

/** The page of the workspace, from the finished one of the build with its three placeholders. */
export function workspacePage(built: string, { base, nonce, screenPlaces }: PageSurroundings): string {
  return built
    .replaceAll('__APP_BASE__', attributeText(base))
    .replaceAll('__CSP_NONCE__', attributeText(nonce))
    .replaceAll('__SCREEN_PLACES__', attributeText(screenPlaces.join(' ')));
}

/** The policy of the page: everything comes from its own origin, and pictures and framed sites from the public one too. */
export function workspacePolicy(publicOrigin: string, nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${publicOrigin}`,
    // Fonts of sites are shown where they are managed.
    `font-src 'self' ${publicOrigin}/~files/`,
    // Files for imports are uploaded to the public listener, and nothing else goes there.
    `connect-src 'self' ${publicOrigin}/~uploads/`,
    `frame-src ${publicOrigin}`,
    "frame-ancestors 'none'",
    // The page has one base, so that its files are found from every address below it.
    "base-uri 'self'",
    "form-action 'self'",
  ].join('; ');
}

/** For servers whose files of the workspace were never built. */
export function missingPage(): string {
  return standalonePage('The workspace is not built', [
    h('p', ['This server has no files of the workspace. In a checkout of Bindery, this builds them:']),
    h('p', [h('code', 'npm run build --workspace app')]),
    h('p', ['The API works without them.']),
  ]);
}

function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
