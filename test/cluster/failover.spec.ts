import { describeFailovers } from './failovers.js';
import { ReplicaPair } from './replica-pair.js';

describeFailovers(
  'a primary and its synchronous replica',
  () => ReplicaPair.start(),
  Number(process.env['ROUNDS'] ?? 1),
);
