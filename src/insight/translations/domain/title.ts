const MAX_TITLE = 50;

/** The title of the space with a translation: that of the source, with the native name of the language and the variant, if there is one. */
export function titleOfTranslation(title: string, language: string, variant = ''): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  const suffix = variant === '' ? ` (${name})` : ` (${name}, ${variant})`;
  return (
    [...title]
      .slice(0, Math.max(1, MAX_TITLE - [...suffix].length))
      .join('')
      .trimEnd() + suffix
  );
}
