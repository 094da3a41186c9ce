import { Module } from '@nestjs/common';
import { Doctor } from './doctor.service.js';
import { InvariantChecks } from './invariant-checks.js';

/** The checks of an installation, as `bindery doctor` makes them. */
@Module({ providers: [Doctor, InvariantChecks] })
export class DoctorModule {}
