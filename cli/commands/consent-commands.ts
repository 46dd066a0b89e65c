/** Declares `havn consent`: what operators see of consents. */
import type { Command } from 'commander'
import { operate } from './operate.ts'

/** Adds the commands to their group. */
export function addConsentCommands(group: Command): void {
  group
    .command('expiring')
    .description('print the consents of all partners that end within seven days')
    .action(() =>
      operate(async (context) => {
        const { printExpiringConsents } = await import('../operator/consents.ts')
        await printExpiringConsents(context)
      }),
    )
}
