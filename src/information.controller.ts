import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from './kernel/access/access.decorators.js';
import { Text } from './kernel/common/fields.js';
import { Operation } from './kernel/common/operation.js';
import { VERSION } from './version.js';

class InformationBody {
  @Text({ example: '0.1.0' })
  version: string;
  @Text({ example: '0.1.0' })
  build: string;
}

@ApiTags('Service')
@Controller()
export class InformationController {
  @Get()
  @Public()
  @Operation({ id: 'getApiInformation', summary: 'Get the version of the service', type: InformationBody, open: true })
  get(): InformationBody {
    return { version: VERSION, build: VERSION };
  }
}
