import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { organizationArchives } from './organization-archives.manifest.js';
import { OrganizationArchives } from './organization-archives.service.js';
import { OrganizationRun } from './organization-run.entity.js';
import { OrganizationRunWorker } from './organization-run-worker.js';
import { OrganizationRunsController } from './organization-runs.controller.js';
import { OrganizationRuns } from './organization-runs.service.js';

/** Organizations that leave as archives, and come in from them. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationRun])],
  controllers: [OrganizationRunsController],
  providers: [brings(organizationArchives), OrganizationArchives, OrganizationRuns, OrganizationRunWorker],
})
export class OrganizationArchivesModule {}
