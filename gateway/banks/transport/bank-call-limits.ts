/** The limits of calls to banks: timeouts, sizes, connections, concurrency and queues. */

import type { Config } from '../../config/config.ts'
import type { StreamLimits } from './http-response-stream.ts'

export type BankCallLimits = StreamLimits & {
  readonly connectMilliseconds: number
  readonly headersMilliseconds: number
  readonly bodyMilliseconds: number
  readonly connectionsPerHostMax: number
  readonly streamsPerHostMax: number
  readonly callsPerBankMax: number
  readonly streamsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
}

export const BANK_CALL_LIMITS: BankCallLimits = {
  connectMilliseconds: 5_000,
  /** Banks check orders in their core system before they answer; the slowest take tens of seconds. */
  headersMilliseconds: 30_000,
  /** Between two chunks of a body. */
  bodyMilliseconds: 10_000,
  /** In total, including connecting, so that a slowly dripping answer ends too. */
  callMilliseconds: 45_000,
  /** A day of entries of a busy account is 2–3 MB. */
  responseBytesMax: 10 * 1024 * 1024,
  /** Streams are read at the partner's pace; a slower reader is taken for disconnected. */
  streamMilliseconds: 1_800_000,
  /** A year of 100 000 entries in one answer is 80 MB at most banks. */
  streamBytesMax: 512 * 1024 * 1024,
  /** Holds a page of most banks, so that a slow partner does not hold up the bank. */
  streamAheadBytes: 1024 * 1024,
  /** A data centre serves many banks on one host: enough for eight busy ones. */
  connectionsPerHostMax: 512,
  /** Streams use separate connections, so that a stream of half an hour takes none from payments. */
  streamsPerHostMax: 256,
  /** About 100 calls per second at a bank that answers in 600 ms. */
  callsPerBankMax: 64,
  /** Streams from request to end, in addition to the calls. */
  streamsPerBankMax: 32,
  /** Twice the calls in flight: a burst is queued, a flood is rejected. */
  queuePerBankMax: 128,
  queueMilliseconds: 5_000,
  /** Background jobs pause earlier than user requests (PAUSE_RULE). */
  failuresInRowMax: 10,
}

const MILLISECONDS_PER_SECOND = 1_000

/** In total: queueing, connecting and the bank's answer. */
export function callSecondsMax({ bankAnswerTimeoutSeconds }: Pick<Config, 'bankAnswerTimeoutSeconds'>): number {
  const { queueMilliseconds, connectMilliseconds } = BANK_CALL_LIMITS
  return bankAnswerTimeoutSeconds + Math.ceil((queueMilliseconds + connectMilliseconds) / MILLISECONDS_PER_SECOND)
}
