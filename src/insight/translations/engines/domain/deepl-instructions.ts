/** Target languages for which DeepL accepts custom instructions; for others it refuses the request. */
const TAKE_INSTRUCTIONS = new Set(['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'zh']);
const MOST = 10;
const MOST_CHARACTERS = 300;

/**
 * Instructions in DeepL's form: up to 10 of 300 characters, one for each line or, if these are longer, for each part of
 * one.
 */
export function customInstructions(instructions: string | undefined, target: string): string[] {
  if (!TAKE_INSTRUCTIONS.has(target.toLowerCase().replace(/-.*/, ''))) return [];
  const lines = (instructions ?? '')
    .split(/\n+/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  return lines.flatMap(parts).slice(0, MOST);
}

/** Splits a line into parts of at most 300 characters, after sentences or else between words. */
function parts(line: string): string[] {
  if (line.length <= MOST_CHARACTERS) return [line];
  const room = line.slice(0, MOST_CHARACTERS + 1);
  const sentence = Math.max(...['. ', '; ', '! ', '? '].map((end) => room.lastIndexOf(end) + 1));
  const end = sentence > 0 ? sentence : room.lastIndexOf(' ') > 0 ? room.lastIndexOf(' ') : MOST_CHARACTERS;
  return [line.slice(0, end).trim(), ...parts(line.slice(end).trim())];
}
