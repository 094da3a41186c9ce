import { describe, it } from '@jest/globals';
import { describeFailovers } from './failovers.js';
import { HAS_PATRONI, PatroniPair } from './patroni.js';

const name = 'Patroni with etcd behind HAProxy';
if (HAS_PATRONI) describeFailovers(name, () => PatroniPair.start(), Number(process.env['ROUNDS'] ?? 1));
else describe.skip(name, () => it('is not installed', () => undefined));
