import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { parse } from 'yaml';
import { fields, map, string, type Check } from '../../formats/document/checks.js';
import type { SourceFile } from '../interchange/domain/plan-model.js';
import { readFolder } from '../interchange/markdown-folder.js';
import { packageFolder } from '../../kernel/platform/package-folder.js';

const FACTS = 'template.yaml';

/** A folder of Markdown for new spaces and change requests. */
export interface Template {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The description of each of its placeholders, by name. */
  readonly contentRefs: Readonly<Record<string, string>>;
  /** By path, without the facts above. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

const isFacts: Check = fields({ title: string(), description: string(), contentRefs: map(string()) });

/** The templates of this package, in the folder `templates`; read on first use. */
@Injectable()
export class TemplateLibrary {
  private templates: Promise<ReadonlyMap<string, Template>> | undefined;

  /** By id, in their order. */
  all(): Promise<ReadonlyMap<string, Template>> {
    this.templates ??= readTemplates();
    return this.templates;
  }
}

async function readTemplates(): Promise<Map<string, Template>> {
  const folder = packageFolder('templates');
  if (folder === undefined) return new Map();
  const ids = (await readdir(folder, { withFileTypes: true }))
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
  const templates = await Promise.all(ids.map((id) => readTemplate(id, join(folder, id))));
  return new Map(templates.map((template) => [template.id, template]));
}

async function readTemplate(id: string, folder: string): Promise<Template> {
  const { files } = await readFolder(folder);
  const facts: unknown = parse((await files.get(FACTS)?.read())?.toString('utf8') ?? '');
  isFacts(facts, '', (path, message) => {
    throw new Error(`${join(folder, FACTS)}${path} ${message}`);
  });
  const pages = new Map([...files].filter(([path]) => path !== FACTS));
  return { id, ...(facts as Pick<Template, 'title' | 'description' | 'contentRefs'>), files: pages };
}
