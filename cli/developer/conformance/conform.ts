/** `havn conform`: runs the conformance checks against a server, and writes the reports. */
import { writeFile } from 'node:fs/promises'
import { Unreachable } from '../../../conformance/http/recording-client.ts'
import { htmlReport } from '../../../conformance/report/html-report.ts'
import { junitReport } from '../../../conformance/report/junit-report.ts'
import { failureText, isConformant, summaryJson, summaryText } from '../../../conformance/report/summary.ts'
import { CredentialsRejected, runConformance } from '../../../conformance/run/run-conformance.ts'
import { movableClock } from '../../../gateway/platform/clock.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import type { Context, SharedOptions } from '../context.ts'
import { progressBar } from '../output/progress-bar.ts'
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
  await writeReport(options.html, () => htmlReport(run, startedAt))
  await writeReport(options.junit, () => junitReport(run, startedAt))
  output.result(summaryJson(run), summaryText(run))
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
