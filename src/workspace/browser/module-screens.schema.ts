import { Nested, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';
import { SCREEN_PARTS, type ScreenPart } from '../../kernel/platform/manifest/screen-definition.js';
import type { OfferedScreen } from './module-screens.service.js';

const FILE = 'https://docs.example.com/app/extensions/announcements/q1w2e3r4t5y6u7i8o9p0aa';

class ModuleScreenUrls {
  @Text({ example: `${FILE}/announcements.js`, description: 'An ES module that exports `mount`' })
  script: string;
  @Text({ list: true, example: [`${FILE}/announcements.css`], description: 'Style sheets for the screen alone' })
  styles: string[];
  @Text({ optional: true, example: `${FILE}/icon.svg` })
  icon?: string;
}

export class ModuleScreenBody {
  @ObjectName('module-screen')
  object: 'module-screen';
  @Text({ example: 'announcements', description: 'The module that brings it' })
  module: string;
  @OneOf(SCREEN_PARTS, { description: 'Settings are a section among those of the place' })
  part: ScreenPart;
  @Text({ example: 'announcements', description: 'The last part of its address, which no other one at the place has' })
  path: string;
  @Text({ example: 'Announcements' })
  title: string;
  @Nested(() => ModuleScreenUrls)
  urls: ModuleScreenUrls;
}

/** The screens as callers see them. */
export function presentModuleScreen({ module, part, path, title, urls }: OfferedScreen): ModuleScreenBody {
  const { script, styles, icon } = urls;
  return {
    object: 'module-screen',
    module,
    part,
    path,
    title,
    urls: { script, styles: [...styles], ...(icon !== undefined && { icon }) },
  };
}
