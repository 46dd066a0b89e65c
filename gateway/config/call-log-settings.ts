/** Reads the settings of the logs of calls that the console shows: partners' requests, and calls to banks. */
import type { environmentReader } from './environment-reader.ts'

export type CallLogSettings = {
  /** Whether partners' requests are logged, and the size of all that are stored. */
  readonly requestLog: boolean
  readonly requestLogMegabytesMax: number
  /** Whether calls to banks are logged and counted. */
  readonly bankCallLog: boolean
}

const MEGABYTES = [1, 999_999_999] as const

export function readCallLogSettings(
  read: ReturnType<typeof environmentReader>,
  [requestLog, megabytesMax, bankCallLog]: readonly [requestLog: string, megabytesMax: string, bankCallLog: string],
): CallLogSettings {
  const isOn = (variable: string) => read.oneOf(variable, ['0', '1'], '1') === '1'
  return {
    requestLog: isOn(requestLog),
    requestLogMegabytesMax: read.integer(megabytesMax, 2_000, MEGABYTES),
    bankCallLog: isOn(bankCallLog),
  }
}
