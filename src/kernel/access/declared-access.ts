import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { CAN, PUBLIC } from './access.decorators.js';
import { permission } from './permissions.js';

/** Stops the boot if an operation of any module declares no access, or a permission that no module defines. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, unknown>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name];
        if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
        const targets = [handler as () => unknown, metatype];
        const key = this.reflector.getAllAndOverride<string | undefined>(CAN, targets);
        if (key !== undefined) checked(`${metatype.name}.${name}`, key);
        else if (!this.reflector.getAllAndOverride<boolean>(PUBLIC, targets))
          throw new Error(`${metatype.name}.${name} declares no access: @Can('…') names the permission that it needs`);
      }
    }
  }
}

function checked(operation: string, key: string): void {
  try {
    permission(key);
  } catch (error) {
    throw new Error(`${operation} asks for ${key}: ${(error as Error).message}`, { cause: error });
  }
}
