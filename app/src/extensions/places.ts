export type ScreenPlace = 'account' | 'organization' | 'space' | 'site';

/** The places at which modules have screens, as the server wrote them into the page. */
const PLACES = document.querySelector<HTMLMetaElement>('meta[name="bindery-screen-places"]')?.content.split(' ');

/** Tells whether modules have screens at a place: where they have none, nothing is asked or loaded. */
export function hasScreens(place: ScreenPlace): boolean {
  return PLACES?.includes(place) === true;
}
