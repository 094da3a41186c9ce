/** Codes of the public contract with the codes of Apertium's modes for the same language, the usual one first. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  en: ['eng', 'en'],
  fr: ['fra', 'fr'],
  de: ['deu', 'de'],
  es: ['spa', 'es'],
  it: ['ita', 'it'],
  pt: ['por', 'pt', 'por_PT', 'pt_PT'],
  'pt-br': ['por_BR', 'pt_BR'],
  ru: ['rus', 'ru'],
  ar: ['ara', 'ar'],
  hi: ['hin', 'hi'],
  nl: ['nld', 'nl'],
  pl: ['pol', 'pl'],
  tr: ['tur', 'tr'],
  sv: ['swe', 'sv'],
  no: ['nob', 'nb'],
  da: ['dan', 'da'],
  fi: ['fin', 'fi'],
  el: ['ell', 'el'],
  cs: ['ces', 'cs'],
  hu: ['hun', 'hu'],
  ro: ['ron', 'ro'],
  id: ['ind', 'id'],
  ms: ['zlm', 'msa', 'ms'],
  uk: ['ukr', 'uk'],
  sk: ['slk', 'sk'],
  bg: ['bul', 'bg'],
  hr: ['hbs_HR', 'hr'],
  lt: ['lit', 'lt'],
  lv: ['lav', 'lv'],
  et: ['est', 'et'],
  sl: ['slv', 'sl'],
  ca: ['cat', 'ca'],
  eu: ['eus', 'eu'],
  sr: ['hbs_SR', 'sr'],
};
const MODE = /^([a-z]{2,3}(?:_[A-Za-z]+)?)-([a-z]{2,3}(?:_[A-Za-z]+)?)\.mode$/;
/** Programs that process a stream up to a NUL, respond and continue, with the option `-z`. */
const STAGE =
  /^(?:\/usr\/(?:local\/)?bin\/)?(?:lt-proc|apertium-[a-z-]+|lrx-proc|lsx-proc|cg-proc|cg-conv|rtx-proc|hfst-proc)(?=\s|$)/;

const codesOf = (language: string): readonly string[] => CODES[language] ?? [language];

/** The mode for a pair among the file names of a folder of modes, such as `eng-spa`. */
export function modeFor(files: readonly string[], source: string, target: string): string | undefined {
  const wanted = codesOf(source).flatMap((from) => codesOf(target).map((to) => `${from}-${to}`));
  return wanted.find((mode) => files.includes(`${mode}.mode`));
}

/**
 * The pairs of the modes in a folder, as `en to es`, without spelling variants; languages outside of the public
 * contract have Apertium's code.
 */
export function pairsOf(files: readonly string[]): string[] {
  const common = new Map(
    Object.entries(CODES).flatMap(([language, codes]) => codes.map((code): [string, string] => [code, language])),
  );
  return files
    .flatMap((file) => {
      const [, from, to] = MODE.exec(file) ?? [];
      const [source, target] = [from, to].map((code) => common.get(code ?? '_') ?? code ?? '_');
      return `${source}${target}`.includes('_') ? [] : [`${source} to ${target}`];
    })
    .sort();
}

/**
 * The command line of a mode as a pipeline that responds to each text that ends in a NUL: unknown words are marked
 * (`$1`), other options are off (`$2`). Undefined if it contains a program that is not known to work in this way.
 */
export function pipelineOf(mode: string): string | undefined {
  const line = mode.replace(/^\s*#.*$/gm, '').trim();
  const stages = line.split('|').map((stage) => stage.trim().replaceAll('$1', '-g').replaceAll('$2', ''));
  if (!stages.every((stage) => STAGE.test(stage) && !/[\n;&`<>]|\$\(/.test(stage))) return undefined;
  return stages.map((stage) => stage.replace(/^\S+/, '$& -z')).join(' | ');
}
