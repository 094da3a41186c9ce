import { en } from './en.js';
import { de } from './de.js';
import { fr } from './fr.js';
import { es } from './es.js';
import { nl } from './nl.js';
import { no } from './no.js';
import { pt } from './pt.js';
import { ru } from './ru.js';
import { ja } from './ja.js';
import { zh } from './zh.js';
import type { LanguagePack } from './language.js';

const BY_TAG: Readonly<Record<string, LanguagePack>> = { en, de, fr, es, nl, no, nb: no, nn: no, pt, ru, ja, zh };
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur']);

/** The texts of the service in a language such as `de` or `pt-br`; English if there are none. */
export function languagePackOf(tag: string): LanguagePack {
  const own = base(tag);
  return (Object.hasOwn(BY_TAG, own) ? BY_TAG[own] : undefined) ?? en;
}

/** A language of the service for a browser's preference. */
export function spokenLanguage(preferred = 'en'): string {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(preferred) ? preferred : 'en';
}

export function directionOf(tag: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(base(tag)) ? 'rtl' : 'ltr';
}

/** The name of a language in itself, such as `Deutsch`. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag, 'en'], { type: 'language', fallback: 'code' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

function base(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}
