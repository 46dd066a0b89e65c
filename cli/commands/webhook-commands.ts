/** Declares the commands of `havn webhooks`: list subscriptions and deliveries, and replay events. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import type { DeliveryLogOptions, ReplayOptions } from '../operator/webhooks.ts'
import { jsonOption, partnerArgument, runOperatorCommand } from './run-operator-command.ts'

export function addWebhookCommands(group: Command): void {
  const webhooks = () => import('../operator/webhooks.ts')
  group
    .command('list')
    .description("print a partner's subscriptions")
    .addArgument(partnerArgument())
    .addOption(jsonOption())
    .action((partner: string, options: TableOptions) =>
      runOperatorCommand(async (context) => (await webhooks()).printSubscriptions(context, partner, options)),
    )
  group
    .command('deliveries')
    .description('print the newest deliveries of a subscription')
    .addArgument(partnerArgument())
    .argument('<subscription>', 'its id, as printed by `havn webhooks list`')
    .option('--status <status>', 'filter by status: queued, delivered, failed or refused')
    .option('--limit <count>', 'how many', '50')
    .addOption(jsonOption())
    .action((partner: string, subscription: string, typed: DeliveryLogOptions) =>
      runOperatorCommand(async (context) =>
        (await webhooks()).printDeliveries(context, [partner, subscription], typed),
      ),
    )
  group
    .command('replay')
    .description('replay past events to the subscriptions that select them now')
    .requiredOption('--since <time>', 'a date or timestamp: events that occurred then or later')
    .option('--until <time>', 'events that occurred before this time; a date is included')
    .option('--partner <partner>', 'only those of this partner, by name or id')
    .option('--subscription <id>', 'only to this subscription of the partner')
    .option('--dry-run', 'print the number of deliveries without queuing them')
    .addHelpText(
      'after',
      '\nReceivers see each event again under its id, in a new delivery. Recorded in ' + 'the audit log.',
    )
    .action((typed: ReplayOptions) =>
      runOperatorCommand(async (context, actor) => (await webhooks()).replayCommand(context, actor, typed)),
    )
}
