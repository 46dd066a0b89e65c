/** Says how long a call to a bank may last at most, so that leases and recovery outlast it. */
import type { Config } from '../../config/config.ts'
import { BANK_FETCH_LIMITS } from './bank-call-limits.ts'

const MILLISECONDS_PER_SECOND = 1_000

/** From asking for it until there is an answer or none: waiting for a place, connecting, the bank's own time. */
export function callSecondsMax({ bankAnswerTimeoutSeconds }: Pick<Config, 'bankAnswerTimeoutSeconds'>): number {
  const { queueMilliseconds, connectMilliseconds } = BANK_FETCH_LIMITS
  return bankAnswerTimeoutSeconds + Math.ceil((queueMilliseconds + connectMilliseconds) / MILLISECONDS_PER_SECOND)
}
