/** Translates a bank's error into the one that the partner reads, and reports it where only the operator can act. */
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import { bankErrorToApiError, isCausedByOperator } from '../../gateway/banks/connector/bank-error-classification.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'

/** Returns any other error unchanged. */
export function translateBankError(log: Pick<Log, 'error'>, error: unknown): unknown {
  if (isCausedByOperator(error)) {
    const { kind: errorKind, message: reason } = error
    log.error({ errorKind, reason }, 'a request failed because a bank does not accept how it is called')
  }
  return error instanceof BankError ? bankErrorToApiError(error) : error
}
