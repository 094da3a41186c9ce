/** The choices for attributes, and those for texts. */
export const SIDE_CHOICES = ['theirs', 'mine'] as const;
export const CHOICES = [...SIDE_CHOICES, 'both', 'own'] as const;

export type Choice = (typeof CHOICES)[number];

/** The choice for a place where two people changed the same; `own` is the own text, where that was chosen. */
export type Settlement = Readonly<{ choice: Choice; own?: string }>;

/** The text that a settlement leads to. */
export function settledText(theirs: string, mine: string, { choice, own = '' }: Settlement): string {
  const both = [theirs, mine].map((text) => text.trim()).filter((text) => text !== '');
  return { theirs, mine, both: both.join('\n\n'), own }[choice];
}
