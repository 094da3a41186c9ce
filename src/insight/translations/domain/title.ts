const MAX_TITLE = 50;

/** The title of the space with a translation: that of the source, with the native name of the language. */
export function titleOfTranslation(title: string, language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  const suffix = ` (${name})`;
  return (
    [...title]
      .slice(0, MAX_TITLE - [...suffix].length)
      .join('')
      .trimEnd() + suffix
  );
}
