/** Writes the structured log: one JSON object a line, with secrets and link tokens left out. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** What a program may choose about its log. */
export type LogSettings = {
  readonly program: string
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream
}

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'client_secret',
  'clientSecret',
  'access_token',
  'accessToken',
  'userId',
  'token',
]
const SECRETS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Opens a program's log. */
export function openLog({ program, level, destination }: LogSettings): Log {
  const options = {
    level,
    base: { program },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[redacted]' },
    serializers: { error: describeFault },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** What an error says, and where it came from. Its other members stay out: the database's hold values of rows. */
function describeFault(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error
  }
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: describeFault(cause) }),
  }
}
