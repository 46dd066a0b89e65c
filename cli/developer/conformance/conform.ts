/** `havn conform`: runs the conformance checks against a server, and writes the reports. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Unreachable } from '../../../conformance/http/recording-client.ts'
import { htmlReport } from '../../../conformance/report/html-report.ts'
import { junitReport } from '../../../conformance/report/junit-report.ts'
import { failureText, isConformant, summaryJson, summaryText } from '../../../conformance/report/summary.ts'
import { CredentialsRejected, runConformance } from '../../../conformance/run/run-conformance.ts'
import { movableClock } from '../../../gateway/platform/clock.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { developerCommand, environmentOption } from '../command-options.ts'
import type { Context, SharedOptions } from '../context.ts'
import { progressBar } from '../output/output.ts'
import { type ConformOptions, readTargetOptions } from './target-options.ts'

export type { ConformOptions } from './target-options.ts'

/** Throws unless the server can be checked. A failed check sets the exit code only, since the summary names it. */
export async function conform(context: Context, options: ConformOptions & SharedOptions): Promise<void> {
  const { output, signal } = context
  const target = await readTargetOptions(context.environment, options)
  const only = (options.only ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  const startedAt = movableClock().real().toString({ smallestUnit: 'second' })
  output.note(`Checking ${target.baseUrl} as ${target.credentials.clientId}`)
  const run = await runConformance(target, {
    signal,
    only,
    onCheck: ({ title }, position, total) => output.progress(progressBar(position, total, `checks  ${title}`)),
    onResult: (result) => {
      if (result.status === 'failed') {
        output.note(failureText(result))
      }
    },
  }).catch((error: unknown) => {
    throw commandErrorOf(error)
  })
  // First: a run takes minutes, and a report that cannot be written must not hide what it found.
  output.result(summaryJson(run), summaryText(run))
  await writeReport(options.html, () => htmlReport(run, startedAt))
  await writeReport(options.junit, () => junitReport(run, startedAt))
  if (!isConformant(run)) {
    if (options.html === undefined) {
      output.note('Next: add --html report.html to see the requests and responses of the failed checks')
    }
    process.exitCode = EXIT_CODES.unsuccessful[0]
  }
}

function commandErrorOf(error: unknown): unknown {
  if (error instanceof CredentialsRejected) {
    return new CommandError('unauthenticated', `No token was issued: ${error.message}`, {
      next: 'compare --client-id, the secret and --environment with what the server’s operator has given you',
    })
  }
  if (error instanceof Unreachable) {
    return new CommandError('unavailable', error.message, { next: 'compare --base-url with the address of the server' })
  }
  return error instanceof RangeError ? new CommandError('invalid', `--only: ${error.message}`) : error
}

async function writeReport(path: string | undefined, render: () => string): Promise<void> {
  if (path !== undefined) {
    await writeFile(path, render()).catch((error: unknown) => {
      throw new CommandError(
        'invalid',
        `The report cannot be written: ${error instanceof Error ? error.message : path}`,
      )
    })
  }
}

const LEFT_ON_THE_SERVER = `
What stays on the server, also after Ctrl-C: consents and orders of small amounts, and disabled webhook subscriptions.
In a sandbox npm run reset deletes them. Elsewhere no order is signed, and the bank deletes it after some days.
`

export function declareConform(command: Command): void {
  const examples = [
    ['havn conform --html report.html', 'the npm start in this folder'],
    'havn conform --base-url https://sandbox.example --client-id erp --environment sandbox --junit results.xml',
    'havn conform --only authentication,errors',
  ] as const
  developerCommand(command, conform, examples, LEFT_ON_THE_SERVER)
    .option('--base-url <url>', 'the server; by default that of the profile')
    .option('--auth-url <url>', 'where tokens are issued, if that is elsewhere')
    .option('--onboarding-url <url>', 'where companies are onboarded, if that is elsewhere')
    .option('--client-id <id>', 'the credentials of a partner; by default those of the profile')
    .option(
      '--client-secret <secret>',
      'by default that of HAVN_CLIENT_SECRET, which other users of the machine cannot see',
    )
    .addOption(environmentOption('server'))
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
}
