/** Declares `havn pay`, `havn approve` and `havn status`. */
import type { Command } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import { simulateOption, withConsentOptions } from '../consents/consent-commands.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { ApproveOptions } from './approve.ts'
import type { PayOptions } from './pay.ts'

export function declareApprove(command: Command): void {
  withSharedOptions(command)
    .argument('<id...>', 'payments, or payrolls, of one bank and company')
    .option('--consent <id>', 'the consent to act under; by default the newest one that has the account')
    .option('--callback-url <url>', 'where the user returns to')
    .option('--user <id>', 'with --simulate: who signs; by default the first user who may')
    .addOption(simulateOption())
    .addHelpText(
      'after',
      examples([
        ['havn approve $PAYMENT', ''],
        ['havn approve $PAYMENT --simulate sign && havn status $PAYMENT --follow', 'in a sandbox'],
      ]),
    )
    .action((ids: string[], options: ApproveOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { approve } = await import('./approve.ts')
        await approve(context, ids, options)
      }),
    )
}

export function declareStatus(command: Command): void {
  withSharedOptions(command)
    .argument('<id>', 'the id of the payment, payroll or consent')
    .option('--follow', 'print every change until the status is final')
    .addHelpText('after', examples([['havn status $PAYMENT --follow', 'exits with 4 unless it is completed']]))
    .action((id: string, options: { readonly follow?: boolean } & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { status } = await import('./status.ts')
        await status(context, id, options)
      }),
    )
}

export function declarePay(command: Command): void {
  withConsentOptions(withSharedOptions(command))
    .requiredOption('--to <account>', 'the account of the receiver: BBAN, or a giro number')
    .requiredOption('--name <name>', 'the name of the receiver')
    .requiredOption('--amount <amount>', 'for example 1250.00, in the currency of the account')
    .option('--account <number>', 'the account to pay from; by default the only one, asked for on a terminal')
    .option('--due-date <day>', 'for example 2026-11-30; by default today at the bank')
    .option('--message <text>', 'the message to the receiver')
    .option('--reference <reference>', 'KID, OCR or viitenumero, in place of a message')
    .option('--end-to-end-id <id>', 'your identification of the payment; by default a random one')
    .option('--idempotency-key <key>', 'makes a repetition of this command safe; by default a random one')
    .option('--user <id>', 'with --simulate: who gives the consent and signs')
    .addOption(simulateOption())
    .addHelpText(
      'after',
      examples([
        ['havn pay --to 80501200011 --name "Granli Trelast AS" --amount 1250.00 --message "Faktura 20455"', ''],
        [
          'havn pay --bank FJORNO22 --account 80501100017 --to 80501200011 --name "Granli Trelast AS" --amount 10 --simulate sign',
          'in a sandbox: consent, payment and approval without a browser',
        ],
      ]),
    )
    .action((options: PayOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { pay } = await import('./pay.ts')
        await pay(context, options)
      }),
    )
}
