/** Declares `havn provider`: whoever changes money. */
import type { Command } from 'commander'

/** Adds the command to its group. */
export function addProviderCommands(group: Command): void {
  group
    .command('check')
    .description('log in with the settings, and print accounts and prices by country; ends with 1 when any is missing')
    .action(async () => (await import('../operator/provider.ts')).printProviderCheck(process.env))
}
