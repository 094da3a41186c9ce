export const ENGINES = ['deepl', 'llm', 'libretranslate', 'bergamot', 'apertium'] as const;
/** A translation engine as `TRANSLATION_ENGINES` names it. */
export type TranslationEngineName = (typeof ENGINES)[number];
export const isEngine = (name: string): name is TranslationEngineName => ENGINES.some((engine) => engine === name);
