/** Declares `havn webhooks`: what operators see of subscriptions and deliveries, and telling partners again. */
import type { Command } from 'commander'
import type { LogTyped, ReplayTyped } from '../operator/webhooks.ts'
import { operate, PARTNER } from './operate.ts'

/** Adds the commands to their group. */
export function addWebhookCommands(group: Command): void {
  const webhooks = () => import('../operator/webhooks.ts')
  group
    .command('list')
    .description("print a partner's subscriptions")
    .addArgument(PARTNER())
    .action((partner: string) => operate(async (context) => (await webhooks()).printSubscriptions(context, partner)))
  group
    .command('deliveries')
    .description('print the newest deliveries of a subscription')
    .addArgument(PARTNER())
    .argument('<subscription>', 'its id, as `havn webhooks list` prints it')
    .option('--status <status>', 'only those that are queued, delivered, failed or refused')
    .option('--limit <count>', 'how many', '50')
    .action((partner: string, subscription: string, typed: LogTyped) =>
      operate(async (context) => (await webhooks()).printDeliveries(context, [partner, subscription], typed)),
    )
  group
    .command('replay')
    .description('deliver past events again, to the subscriptions that select them now')
    .requiredOption('--since <time>', 'a day or an instant: events that occurred then or later')
    .option('--partner <partner>', 'only those of this partner, by name or id')
    .option('--subscription <id>', 'only to this subscription of the partner')
    .option('--dry-run', 'say how many deliveries there would be, and do nothing')
    .addHelpText('after', '\nReceivers see each event again under its id, in a new delivery. Kept in the audit log.')
    .action((typed: ReplayTyped) =>
      operate(async (context, actor) => (await webhooks()).replayTyped(context, actor, typed)),
    )
}
