/** What a command for developers works with, and how it is run: output, questions, signals, exit codes. */
import { countryRules } from '../../gateway/countries/served-countries.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import release from '../../package.json' with { type: 'json' }
import { createHavnClient, type HavnClient, type PsuSession } from '../../sdk/index.ts'
import { onStopSignals } from '../stop-signals.ts'
import { CommandError, commandErrorOf, EXIT_CODES } from './command-error.ts'
import { type Output, openOutput } from './output/output.ts'
import { openQuestions, type Questions } from './output/questions.ts'
import { findCredentials } from './profile/find-credentials.ts'
import type { Profile } from './profile/profile-file.ts'

/** Options that every command for developers has. */
export type SharedOptions = { readonly json?: boolean; readonly profile?: string }

/** Those that decide how a command runs. */
type RunOptions = SharedOptions & { readonly simulate?: string }

/** A gateway, and a client that is logged in there. */
export type Connection = {
  readonly havn: HavnClient
  readonly profile: Profile
  /** The user in whose name banks are called. */
  readonly psu: PsuSession
  /** Where users return to from their bank. */
  readonly callbackUrl: string
}

export type Context = {
  readonly environment: NodeJS.ProcessEnv
  readonly output: Output
  readonly questions: Questions
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  connect(): Promise<Connection>
}

/** Runs a command: prints its error, sets the exit code of the process, and lets it end what it follows at Ctrl-C. */
export async function runInContext(
  { json = false, profile: profileName, simulate }: RunOptions,
  carryOut: (context: Context) => Promise<void>,
): Promise<void> {
  const output = openOutput(json)
  const interruption = watchInterruption()
  const questions = openQuestions(interruption.signal)
  try {
    await carryOut({
      environment: process.env,
      output,
      questions: output.isJson ? { ...questions, isInteractive: false } : questions,
      signal: interruption.signal,
      connect: async () => {
        const connection = await connect(process.env, profileName)
        if (simulate !== undefined) {
          // Before anything is ordered, which would stay unsigned.
          requireSandbox(connection, '--simulate')
        }
        return connection
      },
    })
  } catch (error) {
    const stated = commandErrorOf(error, interruption.signal.aborted)
    if (interruption.isRead() || stated.reason !== 'interrupted') {
      output.error(stated)
      process.exitCode = EXIT_CODES[stated.reason][0]
    }
  } finally {
    interruption.close()
  }
}

/** Today at banks of a country, by the clock of the sandbox if there is one. */
export async function bankDay({ havn, profile }: Connection, country: string): Promise<Temporal.PlainDate> {
  const timeZone = countryRules(country)?.timeZone ?? 'UTC'
  const now =
    profile.environment === 'sandbox'
      ? Temporal.Instant.from((await havn.getSandboxClock()).now)
      : movableClock().real()
  return now.toZonedDateTimeISO(timeZone).toPlainDate()
}

/** Throws unless the gateway is a sandbox. */
export function requireSandbox({ profile }: Connection, what: string): void {
  if (profile.environment !== 'sandbox') {
    throw new CommandError('invalid', `${what} works in a sandbox only, and ${profile.baseUrl} is production`)
  }
}

async function connect(environment: NodeJS.ProcessEnv, profileName: string | undefined): Promise<Connection> {
  const { profile } = await findCredentials(environment, profileName)
  const userAgent = `havn-cli/${release.version}`
  const { callbackUrl, ...credentials } = profile
  return {
    havn: createHavnClient({ ...credentials, userAgent }),
    profile,
    psu: { ipAddress: psuAddressOf(environment), userAgent },
    // In a sandbox every URL on this machine is allowed: the console shows what became of the payment.
    callbackUrl: callbackUrl ?? `${profile.baseUrl}/console`,
  }
}

/**
 * Notices that a command is to end: by a signal, or because the reader of its output has ended. The first signal lets the
 * command end what it has begun; a second one does not wait for that.
 */
function watchInterruption() {
  const interrupted = new AbortController()
  const closeSignals = onStopSignals(
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    () => interrupted.abort(),
    () => process.exit(EXIT_CODES.interrupted[0]),
  )
  let isRead = true
  const endUnread = () => {
    isRead = false
    interrupted.abort()
  }
  process.on('SIGPIPE', endUnread)
  return {
    signal: interrupted.signal,
    isRead: () => isRead,
    close: () => {
      closeSignals()
      process.off('SIGPIPE', endUnread)
    },
  }
}

/** The address of the user in whose name banks are called. */
export function psuAddressOf(environment: NodeJS.ProcessEnv): string {
  return environment['HAVN_PSU_IP_ADDRESS']?.trim() || '127.0.0.1'
}
