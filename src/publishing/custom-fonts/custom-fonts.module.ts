import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { UploadsModule } from '../../workspace/uploads/uploads.module.js';
import { SitesModule } from '../sites/sites.module.js';
import { CustomFontFace } from './custom-font-face.entity.js';
import { CustomFont } from './custom-font.entity.js';
import { CustomFontsController } from './custom-fonts.controller.js';
import { customFonts } from './custom-fonts.manifest.js';
import { CustomFonts } from './custom-fonts.service.js';

/** Fonts that organizations upload for their sites. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomFont, CustomFontFace]), OrganizationsModule, SitesModule, UploadsModule],
  controllers: [CustomFontsController],
  providers: [brings(customFonts), CustomFonts],
})
export class CustomFontsModule {}
