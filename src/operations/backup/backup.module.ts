import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { backup } from './backup.manifest.js';
import { RestoredCopies } from './restored-copies.service.js';
import { RestoredCopy } from './restored-copy.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([RestoredCopy])],
  providers: [brings(backup), RestoredCopies],
})
export class BackupModule {}
