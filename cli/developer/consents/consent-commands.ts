/** Declares `havn consent create` and `havn consent list`. */
import { type Command, Option } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { ConsentCreation } from './create-consent.ts'
import type { ListedConsents } from './list-consents.ts'

/** What the sandbox's user does. */
export const simulateOption = () =>
  new Option('--simulate <decision>', 'in a sandbox: let its user decide, without a browser').choices([
    'sign',
    'reject',
  ])

/** How a command finds the consent that it acts under. */
export function withConsentOptions(command: Command): Command {
  return command
    .option(
      '--consent <id>',
      'the consent to act under; by default the newest one that has --account, or the only one, asked for on a terminal',
    )
    .option('--bank <bic>', 'the bank of the consent')
    .option('--company <number>', 'the organisation number of the company that the consent is for')
}

export function addConsentCommands(group: Command): void {
  withSharedOptions(group.command('create'))
    .description('start a consent at a bank, and print the link for its user')
    .option('--bank <bic>', 'the bank; asked for on a terminal')
    .option('--company <number>', 'the organisation number of the company')
    .option('--user <id>', "the user's id at the bank; in a sandbox, by default one that the bank knows")
    .option('--callback-url <url>', 'where the user returns to')
    .option('--follow', 'wait until the user has decided')
    .addOption(simulateOption())
    .addHelpText(
      'after',
      examples([
        ['havn consent create --bank FJORNO22', ''],
        ['havn consent create --bank FJORNO22 --simulate sign', 'in a sandbox, without a browser'],
      ]),
    )
    .action((options: ConsentCreation & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { createConsentCommand } = await import('./create-consent.ts')
        await createConsentCommand(context, options)
      }),
    )
  withSharedOptions(group.command('list'))
    .description('print the accepted consents of the partner')
    .option('--all', 'also those that are not accepted')
    .option('--bank <bic>', 'only those at this bank')
    .option('--company <number>', 'only those of this company')
    .addHelpText('after', examples([['havn consent list --all --json', '']]))
    .action((options: ListedConsents & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { listConsentsCommand } = await import('./list-consents.ts')
        await listConsentsCommand(context, options)
      }),
    )
}
