/** Declares `havn conform`. */
import { type Command, Option } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { ConformOptions } from './conform.ts'

const LEFT_ON_THE_SERVER = `
What stays on the server, also after Ctrl-C: consents and orders of small amounts, and disabled webhook subscriptions.
In a sandbox npm run reset deletes them. Elsewhere no order is signed, and the bank deletes it after some days.`

export function declareConform(command: Command): void {
  withSharedOptions(command)
    .option('--base-url <url>', 'the server; by default that of the profile')
    .option('--auth-url <url>', 'where tokens are issued, if that is elsewhere')
    .option('--onboarding-url <url>', 'where companies are onboarded, if that is elsewhere')
    .option('--client-id <id>', 'the credentials of a partner; by default those of the profile')
    .option(
      '--client-secret <secret>',
      'by default that of HAVN_CLIENT_SECRET, which other users of the machine cannot see',
    )
    .addOption(
      new Option('--environment <name>', 'by default sandbox for a server on this machine, else production').choices([
        'sandbox',
        'production',
      ]),
    )
    .option('--other-client-id <id>', 'a second partner, to check that partners see nothing of each other')
    .option('--other-client-secret <secret>', 'by default that of HAVN_OTHER_CLIENT_SECRET')
    .option(
      '--consent <id>',
      'outside a sandbox: an accepted consent, under which orders of 1.00 are created, never signed',
    )
    .option('--account <number>', 'the account to pay from; by default the first suitable one')
    .option('--to <account>', 'outside a sandbox: the account to pay to')
    .option(
      '--webhook-url <url>',
      'a public URL that leads to the receiver of this command; by default its own address',
    )
    .option('--webhook-port <port>', 'the port on which the receiver listens; by default a free one')
    .option('--patience <seconds>', 'for how long to wait for a bank and for deliveries; by default 30')
    .option('--only <ids>', 'only these checks or groups, separated by commas')
    .option('--html <file>', 'write a report with the requests and responses of failed checks')
    .option('--junit <file>', 'write the results as JUnit XML')
    .addHelpText('after', LEFT_ON_THE_SERVER)
    .addHelpText(
      'after',
      examples([
        ['havn conform --html report.html', 'the npm start in this folder'],
        [
          'havn conform --base-url https://sandbox.example --client-id erp --environment sandbox --junit results.xml',
          '',
        ],
        ['havn conform --only authentication,errors', ''],
      ]),
    )
    .action((options: ConformOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => (await import('./conform.ts')).conform(context, options)),
    )
}
