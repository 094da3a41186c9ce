/** Texts of coming in, finding the way, people and notifications. */
export const peopleTexts = {
  home: 'Home',
} as const;
