/** The files of a model for one pair of languages, in the format of Firefox. */
export interface ModelFiles {
  readonly model: string;
  readonly sourceVocabulary: string;
  readonly targetVocabulary: string;
  readonly shortlist?: string;
}

/** Codes of the public contract that models write differently. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'zh-Hans'],
  'zh-tw': ['zh-Hant', 'zh_hant'],
  no: ['nb', 'no'],
  'pt-br': ['pt-BR', 'pt_br'],
};
const codesOf = (language: string): readonly string[] => CODES[language] ?? [language];

/** The folder of a pair, `en-es` or `enes`, among the existing ones. */
export function modelFolder(folders: readonly string[], source: string, target: string): string | undefined {
  const wanted = codesOf(source).flatMap((from) => codesOf(target).flatMap((to) => [`${from}-${to}`, `${from}${to}`]));
  return wanted.find((name) => folders.includes(name));
}

/** The pair of a folder as `en to es`; undefined for folders of other names. */
export function pairOfFolder(folder: string): string | undefined {
  const [, source, target] =
    /^([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)-([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)$/.exec(folder) ??
    /^([a-z]{2})([a-z]{2})$/.exec(folder) ??
    [];
  return source === undefined || target === undefined ? undefined : `${source} to ${target}`;
}

/** The files of a model by their names, such as `model.enes.intgemm.alphas.bin`; undefined if one is missing. */
export function modelFiles(names: readonly string[]): ModelFiles | undefined {
  const find = (pattern: RegExp): string | undefined => names.find((name) => pattern.test(name));
  const shared = find(/^vocab\..*spm$/);
  const [model, sourceVocabulary, targetVocabulary, shortlist] = [
    find(/^model\..*bin$/),
    find(/^srcvocab\..*spm$/) ?? shared,
    find(/^trgvocab\..*spm$/) ?? shared,
    find(/^lex\..*bin$/),
  ];
  if (model === undefined || sourceVocabulary === undefined || targetVocabulary === undefined) return undefined;
  return { model, sourceVocabulary, targetVocabulary, ...(shortlist !== undefined && { shortlist }) };
}
