import { Module } from '@nestjs/common';
import { UsersModule } from '../../identity/users/users.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { ContentModule } from '../content/content.module.js';
import { RenderingModule } from '../rendering/rendering.module.js';
import { VisibleReferences } from './visible-references.js';
import { TemplateLibrary } from './template-library.js';
import { TemplatesController, TemplateWritesController } from './templates.controller.js';
import { TemplatePreviews } from './template-previews.service.js';
import { Templates } from './templates.service.js';

/** Templates of the service; they are written as an import writes its folder. */
@Module({
  imports: [SpacesModule, UsersModule, ContentModule, RenderingModule],
  controllers: [TemplatesController, TemplateWritesController],
  providers: [TemplateLibrary, TemplatePreviews, Templates, VisibleReferences],
  exports: [Templates],
})
export class TemplatesModule {}
