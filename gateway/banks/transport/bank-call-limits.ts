/** What the calls to a bank, and all calls together, may take. */
import type { StreamLimits } from './http-response-stream.ts'

/** What a call, and all calls to one bank together, may take. */
export type BankFetchLimits = StreamLimits & {
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

export const BANK_FETCH_LIMITS: BankFetchLimits = {
  connectMilliseconds: 5_000,
  /** Banks check orders in their core system before they answer; the slowest take tens of seconds. */
  headersMilliseconds: 30_000,
  /** Between two parts of a body. */
  bodyMilliseconds: 10_000,
  /** All in all, connecting included, so that a dripping answer ends too. */
  callMilliseconds: 45_000,
  /** A day of entries of a busy account is 2–3 MB. */
  responseBytesMax: 10 * 1024 * 1024,
  /** Reading at a partner's pace takes its time; who reads no faster than this has left without a word. */
  streamMilliseconds: 1_800_000,
  /** A year of 100 000 entries in one answer is 80 MB at most banks. */
  streamBytesMax: 512 * 1024 * 1024,
  /** Pages of most banks fit in, so that no bank waits for a partner that reads slowly. */
  streamAheadBytes: 1024 * 1024,
  /** A data centre serves many banks on one host: as much as eight busy ones. */
  connectionsPerHostMax: 512,
  /** Connections of their own: what is read for half an hour leaves those of payments alone. */
  streamsPerHostMax: 256,
  /** At a bank that answers after 600 ms this is some 100 calls a second. */
  callsPerBankMax: 64,
  /** Answers that are being read, however slowly, from when they are asked for; besides the calls. */
  streamsPerBankMax: 32,
  /** Twice what is under way, so that a burst waits and a flood is told to come back. */
  queuePerBankMax: 128,
  queueMilliseconds: 5_000,
  /** Those who can wait leave a bank alone sooner than users do (PAUSE_RULE). */
  failuresInRowMax: 10,
}
