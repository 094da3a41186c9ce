import { Injectable } from '@nestjs/common';
import type { CustomizationSettings } from '../../sites/customization.schema.js';
import { surfaceOf, type CodeSurface, type EditorTheme } from './domain/code-theme.js';

/** Reads the themes for code, each once and only if a site uses it. */
@Injectable()
export class CodeThemes {
  private readonly known = new Map<string, Promise<CodeSurface | undefined>>();

  /** The themes in settings, by name, without those that derive from the other colours of the site. */
  async of({ styling: { codeTheme } }: CustomizationSettings): Promise<ReadonlyMap<string, CodeSurface>> {
    const names = [codeTheme.default, codeTheme.openapi].flatMap(({ light, dark }) => [light, dark]);
    const found = await Promise.all([...new Set(names)].map(async (name) => [name, await this.surface(name)] as const));
    return new Map(found.flatMap(([name, surface]) => (surface ? [[name, surface] as const] : [])));
  }

  private surface(name: string): Promise<CodeSurface | undefined> {
    const known = this.known.get(name) ?? read(name);
    this.known.set(name, known);
    return known;
  }
}

async function read(name: string): Promise<CodeSurface | undefined> {
  const themes = (await import('shiki/themes')).bundledThemes as Readonly<
    Record<string, () => Promise<{ readonly default: EditorTheme }>>
  >;
  const load = Object.hasOwn(themes, name) ? themes[name] : undefined;
  return load && surfaceOf((await load()).default);
}
