import { useLocalStorage } from '@mantine/hooks';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { resetTitle, shownTitle } from '../ui/screens.js';

/** A place of the workspace that was looked at in this browser. */
type RecentPlace = Readonly<{ path: string; title: string; organization: string; at: string }>;

const KEY = 'bindery.recent';
const KEPT = 40;
/** A screen that is left sooner was only passed. */
const STAY = 1500;
const PLACE = /^\/o\/([^/]+)\/(?:s|c)\/[^/]+/;

/** Forgets everything: for the end of a session. */
export function forgetRecents(): void {
  localStorage.removeItem(KEY);
}

function useKept() {
  const options = { key: KEY, defaultValue: [], deserialize: parsed, getInitialValueInEffect: false };
  return useLocalStorage<readonly RecentPlace[]>(options);
}

/** None, where the browser keeps something else. */
function parsed(text = '[]'): readonly RecentPlace[] {
  try {
    const places: unknown = JSON.parse(text);
    return Array.isArray(places) ? (places as RecentPlace[]) : [];
  } catch {
    return [];
  }
}

/** The places of an organization that were looked at, latest first. */
export function useRecents(organizationId: string | undefined): readonly RecentPlace[] {
  const [places] = useKept();
  return places.filter(({ organization }) => organization === organizationId);
}

/** Notes the screens of spaces and collections at which somebody stays, by the titles that they give themselves. */
export function useRecordRecents(): void {
  const router = useRouter();
  const [, setPlaces] = useKept();
  useEffect(() => {
    // Each place once, the new one at the beginning.
    const keep = (place: RecentPlace): void =>
      setPlaces((places) => [place, ...places.filter(({ path }) => path !== place.path)].slice(0, KEPT));
    return record(router, keep);
  }, [router, setPlaces]);
}

function record(router: AnyRouter, keep: (place: RecentPlace) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { pathname } = router.state.location;
      const organization = PLACE.exec(pathname)?.[1];
      const title = shownTitle();
      if (organization !== undefined && title !== undefined)
        keep({ path: pathname, title, organization, at: new Date().toISOString() });
    }, STAY);
  };
  const stops = [
    router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      if (pathChanged) resetTitle();
    }),
    router.subscribe('onResolved', begin),
  ];
  begin();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
