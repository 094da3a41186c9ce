/** The size of cards in pixels, which is what services that show links ask for. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** The colours of a card, each as `#rrggbb`. */
export interface CardColors {
  readonly ground: string;
  /** The colour that the ground takes on in the far corner. */
  readonly tint: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly onAccent: string;
  /** Text in the colour of the site. */
  readonly label: string;
}

/** A picture in a file of which the type and the size in pixels were read before. */
export interface CardPicture {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The words and pictures of a card. */
export interface Card {
  readonly title: string;
  readonly description: string;
  /** The way to the page, '' if there is none. */
  readonly trail: string;
  readonly site: string;
  /** Stands in the place of the name of the site. */
  readonly logo?: CardPicture | undefined;
  /** Stands before the name of the site: a picture or an emoji, else the first letter of the name. */
  readonly icon?: CardPicture | string | undefined;
  readonly colors: CardColors;
}
