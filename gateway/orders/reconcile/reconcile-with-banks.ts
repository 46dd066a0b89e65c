/** Compares what banks and the log hold with the database, and raises operator tasks for orders that it lacks. */

import { endToEndIdAt } from '../../banks/connector/bank.ts'
import type { Context } from '../../context.ts'
import { NO_PARTNER, writeAuditEntry } from '../../operators/audit-log.ts'
import { raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { compareAccounts, compareDeals } from './compare-accounts.ts'
import { askBankAboutOrder, blockLostKeys, findLostSubmissions, type LostSubmission } from './find-lost-submissions.ts'
import { readSubmissionLog } from './read-submission-log.ts'
import {
  type FoundOrder,
  type Reconciliation,
  type ReconciliationWindow,
  subjectOfNamedOrder,
} from './reconciliation.ts'

/** What is compared; without a bank all of them and the FX provider, without a log no submissions. */
export type ReconciliationRequest = {
  readonly window: ReconciliationWindow
  readonly bic?: string
  readonly log?: AsyncIterable<string>
  /** In the format of the audit log. */
  readonly actor: string
}

/** Lost orders about which banks are asked at the same time. */
const ORDERS_AT_ONCE = 4

/** Can be repeated: what was found before becomes no second task. A bank that cannot be read is reported. */
export async function reconcileWithBanks(context: Context, request: ReconciliationRequest): Promise<Reconciliation> {
  const { window, bic, actor } = request
  const log = request.log === undefined ? null : await readSubmissionLog(request.log, window)
  const lost = log === null ? [] : await findLostSubmissions(context, log, bic)
  const keysBlocked = log === null ? 0 : await blockLostKeys(context, lost, log.keyBySubject)
  const deals = bic === undefined ? await compareDeals(context, window) : []
  const read = [...(await compareAccounts(context, window, bic)), ...deals]
  const found = mergeOrders([...(await ordersOf(context, lost)), ...read.flatMap(({ orders }) => orders)])
  const orders: Reconciliation['orders'][number][] = []
  for (const order of found) {
    orders.push({ ...order, isNew: await raiseTaskOnce(context, order) })
  }
  const accounts = read.map(({ account }) => account)
  const detail = {
    from: window.from.toString(),
    to: window.to.toString(),
    accounts: accounts.length,
    found: orders.length,
  }
  const subject = ['reconciliation', bic ?? 'all banks'] as const
  await writeAuditEntry(context, { partnerId: NO_PARTNER, actor, action: 'banks reconciled', subject, detail })
  const { submissions, unreadableLines } = log ?? { submissions: null, unreadableLines: 0 }
  return { accounts, orders, submissionsInLog: submissions?.length ?? null, unreadableLines, keysBlocked }
}

async function ordersOf(context: Context, lost: readonly LostSubmission[]): Promise<readonly FoundOrder[]> {
  return await mapWithConcurrency(lost, ORDERS_AT_ONCE, async (submission) => {
    const { partnerId, bank, bankRequestId, bankPaymentId, paymentId, payrollId, endToEndId, time } = submission
    const bankStatus = await askBankAboutOrder(context, submission)
    const detail = {
      bank,
      submittedAt: time,
      paymentId,
      payrollId,
      endToEndId,
      bankRequestId,
      bankPaymentId,
      bankStatus,
    }
    const subjectId =
      endToEndId === undefined
        ? bankRequestId
        : subjectOfNamedOrder(partnerId, bank, endToEndIdAt(await context.banks.find(bank), endToEndId))
    return { partnerId, bank, kind: 'UnrecordedOrder', subjectId, detail } as const
  })
}

/** The log and the account may both show an order. */
function mergeOrders(orders: readonly FoundOrder[]): readonly FoundOrder[] {
  const groups = Map.groupBy(orders, ({ kind, subjectId }) => `${kind} ${subjectId}`)
  return [...groups.values()].flatMap(([first, ...others]) => {
    const details = others.map(({ detail }) => detail)
    return first === undefined ? [] : [{ ...first, detail: Object.assign({}, ...details, first.detail) }]
  })
}

/** An `order` is one that the database does not hold, so that operators get no link to it. */
const SUBJECT_TYPES = {
  UnrecordedOrder: 'order',
  UnrecordedDeal: 'order',
  ExecutedAfterEnd: 'payment',
} as const satisfies Record<FoundOrder['kind'], string>

async function raiseTaskOnce(context: Context, { partnerId, kind, subjectId, detail }: FoundOrder): Promise<boolean> {
  const subjectType = SUBJECT_TYPES[kind]
  const subject = { partnerId, kind, subjectType, subjectId } as const
  if (await wasTaskRaised(context, subject)) {
    return false
  }
  await raiseTask(context, { ...subject, detail })
  return true
}
