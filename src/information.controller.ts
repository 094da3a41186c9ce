import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from './kernel/access/access.decorators.js';
import { Amount, Nested, Text } from './kernel/common/fields.js';
import { Operation } from './kernel/common/operation.js';
import { CONFIG, type Config } from './kernel/platform/config/config.js';
import { VERSION } from './version.js';

class RetentionBody {
  @Amount({ min: 0, description: 'Days that a deleted space stays in the trash', example: 7 })
  trash: number;
  @Amount({ min: 30, description: 'Days that lines of the audit log are kept at least', example: 400 })
  auditLog: number;
  @Amount({ min: 0, description: 'Days that events are kept at least, once webhooks have had them', example: 30 })
  events: number;
  @Amount({
    min: 0,
    description: 'Days that what readers of sites did is kept at least; 0 keeps nothing',
    example: 400,
  })
  insights: number;
}

class InformationBody {
  @Text({ example: '0.1.0' })
  version: string;
  @Text({ example: '0.1.0' })
  build: string;
  @Nested(() => RetentionBody, { description: 'How long the operator of the service has data kept' })
  retention: RetentionBody;
}

type Retention = Pick<Config, 'retentionDays' | 'auditRetentionDays' | 'eventRetentionDays' | 'insightsRetentionDays'>;

@ApiTags('Service')
@Controller()
export class InformationController {
  constructor(@Inject(CONFIG) private readonly config: Retention) {}

  @Get()
  @Public()
  @Operation({
    id: 'getApiInformation',
    summary: 'Get the version of the service, and how long it keeps data',
    type: InformationBody,
    open: true,
  })
  get(): InformationBody {
    return { version: VERSION, build: VERSION, retention: retentionOf(this.config) };
  }
}

function retentionOf(config: Retention): RetentionBody {
  return {
    trash: config.retentionDays,
    auditLog: config.auditRetentionDays,
    events: config.eventRetentionDays,
    insights: config.insightsRetentionDays,
  };
}
