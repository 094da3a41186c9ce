import { describe, expect, it } from '@jest/globals';
import { describeSettings } from '../../src/config.js';
import { useApp } from '../app.js';
import type { OpenApiDocument } from '../contract/json-schema.js';
import { fieldsOf, parametersOf } from './described.js';
import { namesIn, type Effect } from './effect.js';
import { FIELDS, NOT_KEPT } from './fields.js';
import { LOOKS, SITE_LOOKS } from './looks.js';
import { PARAMETERS, WITHOUT_CHOICE } from './parameters.js';
import { SETTINGS } from './settings.js';
import { titlesOf } from './titles.js';

const app = useApp();

const namesOf = (effects: readonly Effect[]): string[] => effects.flatMap(({ of }) => namesIn(of)).sort();

/** Tests that are named and are not there. */
function absentOf(effects: readonly Effect[]): string[] {
  const titles = new Map<string, ReadonlySet<string>>();
  return effects.flatMap(({ spec, test }) => {
    const known = titles.get(spec) ?? titlesOf(`test/${spec}.spec.ts`);
    titles.set(spec, known);
    return known.has(test) ? [] : [`${spec} › ${test}`];
  });
}

describe('the list of effects', () => {
  it('names, for each setting of the environment, a test that shows what it changes', () => {
    expect(namesOf(SETTINGS)).toEqual(
      describeSettings()
        .map(({ variable }) => variable)
        .sort(),
    );
    expect(absentOf(SETTINGS)).toEqual([]);
  });

  it('names, for each field of a body of the published document, a test that shows what it changes', async () => {
    const looks = (operation: string, of: readonly { readonly of: string }[]): string[] =>
      of.flatMap((look) => namesIn(look.of)).flatMap((name) => namesIn(`${operation}.${name}`));
    const fields = fieldsOf(await published());
    // A font is a name or an object, whose fields are the ones of the document.
    const shown = [
      ...looks('{updateSiteCustomizationById,previewSiteCustomizationById}', [...LOOKS, ...SITE_LOOKS]),
      ...looks('{overrideSiteSpaceCustomizationById,previewSiteSpaceCustomizationById}', LOOKS),
    ].filter((name) => !/styling\.(?:font|monospaceFont)$/.test(name));
    expect([...new Set([...namesOf(FIELDS), ...namesOf(NOT_KEPT), ...shown])].sort()).toEqual([...fields].sort());
    expect(absentOf([...FIELDS, ...NOT_KEPT])).toEqual([]);
  });

  it('names, for each parameter of the published document, a test that shows what it changes', async () => {
    expect([...namesOf(PARAMETERS), ...namesOf(WITHOUT_CHOICE)].sort()).toEqual(parametersOf(await published()).sort());
    expect(absentOf([...PARAMETERS, ...WITHOUT_CHOICE])).toEqual([]);
  });
});

const published = async (): Promise<OpenApiDocument> =>
  (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
