import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { Specifications } from '../content/specifications.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import { OpenApiController } from './openapi.controller.js';
import { SpecificationProcessor } from './specification-processor.js';
import { SpecificationReader } from '../../formats/openapi/reading/specification-reader.js';
import { SpecificationSources } from './specification-sources.js';
import { RegistrySource } from './registry-source.js';
import { SourceFetcher } from './source-fetcher.js';
import { OpenApiSpecs } from './specs.service.js';
import { OpenApiVersions } from './versions.service.js';
import { OpenApiChange } from './openapi-change.entity.js';
import { OpenApiChanges } from './changes.service.js';
import { OpenApiSpec } from './openapi-spec.entity.js';
import { OpenApiVersion } from './openapi-version.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { openapi } from './openapi.manifest.js';

/** The registry of OpenAPI specifications of organizations, which computed pages use. */
@Module({
  imports: [TypeOrmModule.forFeature([OpenApiSpec, OpenApiVersion, OpenApiChange]), ContentModule],
  controllers: [OpenApiController],
  providers: [
    brings(openapi),
    OpenApiChanges,
    OpenApiSpecs,
    OpenApiVersions,
    RegistrySource,
    SourceFetcher,
    SpecificationProcessor,
    SpecificationReader,
    SpecificationSources,
  ],
  exports: [OpenApiSpecs],
})
export class OpenApiModule implements OnModuleInit {
  constructor(
    private readonly specifications: Specifications,
    private readonly source: RegistrySource,
    private readonly endpoint: FileEndpoint,
    private readonly versions: OpenApiVersions,
  ) {}

  onModuleInit(): void {
    this.specifications.register(this.source);
    this.endpoint.register((id) => this.versions.served(id));
  }
}
