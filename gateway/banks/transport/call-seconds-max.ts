/** Returns the longest possible duration of a call to a bank; leases and recovery must outlast it. */
import type { Config } from '../../config/config.ts'
import { BANK_CALL_LIMITS } from './bank-call-limits.ts'

const MILLISECONDS_PER_SECOND = 1_000

/** In total: queueing, connecting and the bank's answer. */
export function callSecondsMax({ bankAnswerTimeoutSeconds }: Pick<Config, 'bankAnswerTimeoutSeconds'>): number {
  const { queueMilliseconds, connectMilliseconds } = BANK_CALL_LIMITS
  return bankAnswerTimeoutSeconds + Math.ceil((queueMilliseconds + connectMilliseconds) / MILLISECONDS_PER_SECOND)
}
