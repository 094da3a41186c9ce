import type { QueryKey } from '@tanstack/react-query';
import { version } from '../../package.json';
import type { Answer, ColorScheme, Host, Place, Question, Subject } from '../../workspace.js';
import { api, ApiError, queries, sessionQuery } from '../api/client.js';
import { workspacePath } from '../ui/buttons.js';
import { showDone, showFault } from '../ui/toasts.js';

/** The keys of what the workspace reads of a subject, by their beginnings. */
const KEYS: Readonly<Record<Subject, readonly QueryKey[]>> = {
  session: [sessionQuery.queryKey],
  organizations: [['organizations']],
  members: [['members'], ['candidates']],
  teams: [['teams'], ['candidates']],
  spaces: [['organization'], ['space']],
  sites: [['sites']],
  notifications: [['notifications']],
};

/** Paths of operations: parts in braces are filled in by themselves, and nothing leads out of the interface. */
const PATH = /^\/v1(?:\/(?:[\w~-]|\{\w+\})[\w.~{}-]*)*\/?$/;
const PART = /\{(\w+)\}/g;
/** The session is the workspace's own business. */
const SESSION = /^\/v1\/auth(?:\/|$)/;

/** The surroundings of a screen, from which its host is made. */
export interface Surroundings {
  readonly place: Place;
  readonly router: Readonly<{ history: Readonly<{ push: (path: string) => void }> }>;
  readonly signal: AbortSignal;
  /** The present colours, and a way to hear of others. */
  readonly colors: Readonly<{ present: () => ColorScheme; follow: Host['onColorScheme'] }>;
  readonly confirm: (question: Question) => Promise<boolean>;
}

/**
 * The part of the workspace that a screen of a module may use. Screens that somebody has left, or that failed, change
 * nothing any more in what is shown since.
 */
export function hostOf({ place, router, signal, colors, confirm }: Surroundings): Host {
  const whileShown =
    <Input>(action: (input: Input) => void) =>
    (input: Input): void => {
      if (!signal.aborted) action(input);
    };
  return Object.freeze<Host>({
    version,
    place: Object.freeze({ ...place }),
    language: document.documentElement.lang,
    signal,
    get colorScheme() {
      return colors.present();
    },
    onColorScheme: (listener) => {
      const stop = colors.follow(listener);
      signal.addEventListener('abort', stop);
      return stop;
    },
    request: (method, path, options = {}) =>
      requested(method, path, { ...options, signal: endOf(signal, options.signal) }) as never,
    navigate: whileShown((to) => router.history.push(pathOf(to))),
    href: (path) => pathOf(path),
    toast: whileShown((text) => showDone(String(text))),
    showFault: whileShown(showFault),
    confirm: async (question) => !signal.aborted && confirm(question),
    invalidate: async (subject) => {
      if (subject === undefined) return queries.invalidateQueries();
      for (const queryKey of KEYS[subject] ?? []) await queries.invalidateQueries({ queryKey });
    },
  });
}

/** A signal of the screen's own ends a request too, but none outlives the screen. */
const endOf = (signal: AbortSignal, own: AbortSignal | undefined): AbortSignal =>
  own === undefined ? signal : AbortSignal.any([signal, own]);

/** A path below the address of the workspace, or an address there, as the history has it; throws for other addresses. */
function pathOf(to: string): string {
  const path = workspacePath(to.startsWith('/') && !to.startsWith('//') ? `.${to}` : to);
  if (path === undefined) throw new TypeError(`${to} is no address of the workspace`);
  return path;
}

interface SentOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly as?: 'json' | 'text' | 'blob';
}

async function requested(method: string, path: string, options: SentOptions): Promise<Answer<unknown>> {
  const { path: parameters = {}, query, body, headers, signal, as = 'json' } = options;
  const filled = path.replaceAll(PART, (_, name: string) => String(parameters[name]));
  if (!PATH.test(path) || SESSION.test(filled)) throw new TypeError(`${path} is no path of an operation for screens`);
  // Browsers take such parts for a way upwards.
  if (Object.values(parameters).some((value) => /^\.{0,2}$/.test(String(value))))
    throw new TypeError(`${path} needs a value for each of its parts`);
  const sent = { params: { path: parameters, query }, body, headers, signal, parseAs: as };
  try {
    const { data, response } = await api.request(method as 'get', path as never, sent as never);
    return { status: response.status, headers: response.headers, body: data };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) queries.setQueryData(sessionQuery.queryKey, null);
    throw error;
  }
}
