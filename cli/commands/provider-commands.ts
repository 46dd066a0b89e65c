/** Declares the commands of `havn provider`, for the FX provider. */
import type { Command } from 'commander'

export function addProviderCommands(group: Command): void {
  group
    .command('check')
    .description('log in with the settings, and print accounts and prices by country; exits with 1 if any is missing')
    .action(async () => (await import('../operator/provider.ts')).printProviderCheck(process.env))
}
