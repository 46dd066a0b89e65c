/** Submits the transactions of a payroll one by one in the background as the request's user; no session is stored. */
import { requireBank } from '../../banks/directory/require-bank.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { readPayrollContents } from '../../orders/payroll/payroll-contents.ts'
import { unsubmittedTransactionPositions } from '../../orders/payroll/submission-progress.ts'
import {
  type PayrollTransactionAt,
  payrollTransactionSubmitter,
  type TransactionSubmissionOutcome,
  type TransactionSubmissionParameters,
} from '../../orders/payroll/submit-payroll-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Payroll } from '../payroll.ts'
import { backgroundSubmissionsOf } from './background-submissions.ts'
import {
  acquireSubmissionLease,
  extendSubmissionLease,
  lockSubmittingPayroll,
  releaseSubmissionLease,
  type SubmissionObstacle,
} from './payroll-submission-store.ts'
import { failSubmission, updateSubmissionState } from './update-submission-state.ts'

/** Per payroll; there is another limit per bank. */
const ORDERS_AT_ONCE = 4
/**
 * Extended with every transaction, and short, so that a crashed process is replaced soon. Two processes at once do no harm,
 * because each transaction is claimed separately.
 */
const LEASE_SECONDS = 15

/** Starts submitting the rest in the background, unless a submission is running. Returns at once. */
export function startPayrollSubmission(context: Context, caller: ConsentCaller, payroll: Payroll): void {
  if (!isSubmittedIndividually(payroll)) {
    throw new Error(`Payroll ${payroll.id} is submitted as one order`)
  }
  backgroundSubmissionsOf(context).begin(payroll.id, (stopping) => submitPayroll(context, caller, payroll, stopping))
}

/** Whether its transactions are submitted one by one. */
export function isSubmittedIndividually({ way }: Pick<Payroll, 'way'>): boolean {
  return way === 'baskets' || way === 'chain'
}

/** Submits the remaining transactions. Stops when the bank rejects one or is unavailable. */
export async function submitPayroll(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, database } = context
  if (!(await acquireSubmissionLease(database, payroll, { real: clock.real(), until: leaseEnd(context) }))) {
    return
  }
  await releaseSubmissionLease(database, payroll, await submitRemainingTransactions(context, caller, payroll, stopping))
  await updateSubmissionState(context, payroll)
}

function leaseEnd({ clock }: Pick<Context, 'clock'>): Temporal.Instant {
  return clock.real().add({ seconds: LEASE_SECONDS })
}

/** Returns what prevents the rest from being submitted now. */
async function submitRemainingTransactions(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  stopping: AbortSignal,
): Promise<SubmissionObstacle> {
  const { parameters, transactions } = await prepareSubmission(context, caller, payroll)
  const [submit, submissions, queue] = [
    payrollTransactionSubmitter(context),
    backgroundSubmissionsOf(context),
    transactions.values(),
  ]
  let obstacle: TransactionSubmissionOutcome | undefined
  let blockedByPayrollId: string | null = null
  const submitFromQueue = async () => {
    for (const transaction of queue) {
      if (stopping.aborted || obstacle !== undefined) {
        return
      }
      await extendSubmissionLease(context.database, payroll, leaseEnd(context))
      const result = await submissions.within(payroll.bic, () => submit(parameters, transaction))
      obstacle = result.outcome === 'rejected' || result.outcome === 'deferred' ? result : obstacle
      blockedByPayrollId = result.outcome === 'blocked' ? result.payrollId : blockedByPayrollId
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: ORDERS_AT_ONCE }, submitFromQueue))
  const rejected = workers.find(({ status }) => status === 'rejected')
  if (rejected?.status === 'rejected') {
    throw rejected.reason
  }
  return { temporaryFailure: obstacle?.outcome === 'deferred' ? obstacle.text : null, blockedByPayrollId }
}

async function prepareSubmission(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
): Promise<{ parameters: TransactionSubmissionParameters; transactions: readonly PayrollTransactionAt[] }> {
  const { partnerId, id: payrollId, bic, debtorBban, transactionCount: count } = payroll
  const bank = await requireBank(context.banks, bic)
  const { domesticPayments: product } = context.banks.connectorOf(bank)
  if (product === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not accept single payments here`)
  }
  const key = { partnerId, payrollId }
  const [account, contents, waiting] = await Promise.all([
    findAccountByBban(context, caller.consent, debtorBban),
    readPayrollContents(context, key, { first: 0, count }),
    unsubmittedTransactionPositions(context, key),
  ])
  const transactions = waiting.flatMap((position): readonly PayrollTransactionAt[] => {
    const asked = contents.transactions[position]
    return asked === undefined ? [] : [{ position, asked }]
  })
  const parameters: TransactionSubmissionParameters = {
    ...{ caller, bank, product, contents },
    // Orders are polled under the consent that submitted them.
    payroll: { ...payroll, payrollId, consentId: caller.consent.id },
    debtorIban: account?.iban ?? null,
    isOpen: (transaction) => lockSubmittingPayroll(transaction, payroll),
    recordRejected: async (transaction, text) => {
      await failSubmission({ ...context, database: transaction }, payroll, text)
    },
  }
  return { parameters, transactions }
}
