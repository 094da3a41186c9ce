import { po, type GetTextTranslation, type GetTextTranslations } from 'gettext-parser';
import { segmentOfTagged, taggedSegment } from '../domain/inline-tags.js';
import {
  FileFault,
  isLanguage,
  withoutControls,
  type FileLanguages,
  type FileUnit,
  type ReadUnit,
} from './translation-file.js';

/* PO files of GNU gettext: texts with tags, where everything is fuzzy that nobody has reviewed. */

const TAGS = 'xml-text';
const FUZZY = 'fuzzy';

export function writePo(units: readonly FileUnit[], { target }: FileLanguages): string {
  const entries = new Map<string, GetTextTranslation>();
  for (const { source, target: said, state, place, former } of units) {
    const msgid = withoutControls(taggedSegment(source));
    const before = entries.get(msgid);
    const places = [before?.comments?.reference, place].filter((each) => each !== undefined).join('\n');
    entries.set(msgid, {
      msgid,
      msgstr: [state === 'untranslated' ? '' : withoutControls(taggedSegment(said))],
      comments: {
        reference: places,
        flag: state === 'reviewed' || state === 'untranslated' ? TAGS : `${FUZZY}, ${TAGS}`,
        ...(former && { previous: `msgid ${JSON.stringify(withoutControls(taggedSegment(former.source)))}` }),
      },
    });
  }
  const headers = {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Transfer-Encoding': '8bit',
    Language: target.replace('-', '_'),
    'X-Generator': 'Bindery',
  };
  const translations = { '': Object.fromEntries(entries) };
  return po.compile({ charset: 'utf-8', headers, translations }, { foldLength: 0 }).toString('utf8');
}

/** The entries of a file that have a translation. Throws `FileFault`. */
export function readPo(text: string, { target }: FileLanguages): ReadUnit[] {
  const { headers = {}, translations = {} } = parsed(text);
  if (Object.keys(translations).length === 0) throw new FileFault('is no PO file: it has no entries');
  const language = Object.entries(headers).find(([name]) => name.toLowerCase() === 'language')?.[1] ?? '';
  if (language !== '' && !isLanguage(language, target))
    throw new FileFault(`is in the language ${language}, and not in ${target}`);
  return Object.values(translations).flatMap((entries) => Object.values(entries).flatMap(unitOf));
}

/** A file without a header has less than the types of the parser say. */
function parsed(text: string): Partial<GetTextTranslations> {
  try {
    return po.parse(Buffer.from(text), { defaultCharset: 'utf-8' });
  } catch (error) {
    throw new FileFault(`is no PO file: ${error instanceof Error ? error.message : ''}`);
  }
}

function unitOf({ msgid, msgstr, msgid_plural: plural, comments }: GetTextTranslation): ReadUnit[] {
  const [said = ''] = msgstr;
  if (msgid === '' || said === '' || plural !== undefined) return [];
  const flags = (comments?.flag ?? '').split(',').map((flag) => flag.trim());
  return [
    {
      name: msgid.slice(0, 100),
      source: segmentOfTagged(msgid),
      target: segmentOfTagged(said),
      reviewed: !flags.includes(FUZZY),
    },
  ];
}
