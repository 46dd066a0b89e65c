/** Writes the structured log: one JSON object per line, with secrets and link tokens redacted. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export type LogSettings = {
  readonly program: string
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where lines go; standard output by default. */
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

export function openLog({ program, level, destination }: LogSettings): Log {
  const options = {
    level,
    base: { program },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS, censor: '[redacted]' },
    serializers: { error: serializeError },
  }
  return pino(options, destination ?? standardOutput())
}

/** Lines that the disk has no room for wait in memory up to this size; further ones are dropped. */
const UNWRITTEN_BYTES_MAX = 16 * 1024 * 1024

/** An order's line is written before its bank is called, which restored databases rely on (decision 0175). */
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: true, maxLength: UNWRITTEN_BYTES_MAX })
  // Without a listener the line would throw, wherever it is: the outcome of an order that is at its bank would be unknown.
  return output.on('error', () => undefined)
}

const childWithoutRedaction = new WeakMap<Log, Log>()

/** The same log for lines whose fields can hold no secret: searching them for one takes longer than writing the line. */
export function withoutRedaction(log: Log): Log {
  return childWithoutRedaction.getOrInsertComputed(log, () => log.child({}, { redact: [] }))
}

/** Message and stack of an error. Its other fields are omitted: those of database errors contain values of rows. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error
  }
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}

/** In place of what is masked. */
export const REDACTED = '[redacted]'

/** 256 bits in base64url, wherever they are. */
const TOKEN_CHARACTERS = 43
const TOKEN = /[A-Za-z0-9_-]{43,}/g

export function maskTokens(text: string): string {
  return text.length < TOKEN_CHARACTERS ? text : text.replaceAll(TOKEN, REDACTED)
}
