/** Compares the accounts of all consents in force with the payments of the database, and the FX provider's conversions with its deals. */
import { BankError } from '../../banks/connector/bank-error.ts'
import { listAccountsOfConsent } from '../../consents/accounts/find-account.ts'
import { allConsentsInForce } from '../../consents/consent-lookup.ts'
import { withReadQuotaRecorded } from '../../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../../context.ts'
import { type DealComparison, findUnrecordedDeals } from '../../fx/deals/find-unrecorded-deals.ts'
import { NO_PARTNER } from '../../operators/audit-log.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { formatAmount } from '../../platform/money.ts'
import { type AccountAtBank, findUnmatchedDebits, type UnmatchedDebit } from './find-unmatched-debits.ts'
import {
  type ComparedAccount,
  type FoundOrder,
  type ReconciliationWindow,
  subjectOfNamedOrder,
} from './reconciliation.ts'

/** Banks are read at the same time, the accounts of a bank one after the other. */
const BANKS_AT_ONCE = 4

/** An account with the orders that were found on it. */
export type AccountComparison = { readonly account: ComparedAccount; readonly orders: readonly FoundOrder[] }

/** A bank that cannot be read keeps no other from being compared. */
export async function compareAccounts(
  context: Context,
  window: ReconciliationWindow,
  bic: string | undefined,
): Promise<readonly AccountComparison[]> {
  const accountsByBank = Map.groupBy(await accountsInForce(context, bic), ({ bank }) => bank.bic)
  const read: AccountComparison[] = []
  await mapWithConcurrency([...accountsByBank.values()], BANKS_AT_ONCE, async (accounts) => {
    for (const account of accounts) {
      read.push(await compareAccount(context, window, account))
    }
  })
  return read.toSorted((one, other) => (one.account.bank < other.account.bank ? -1 : 1))
}

/** Each account once per partner, under its newest consent. */
async function accountsInForce(context: Context, bic: string | undefined): Promise<readonly AccountAtBank[]> {
  const accountByKey = new Map<string, AccountAtBank>()
  for (const consent of await allConsentsInForce(context, bic)) {
    const bank = await context.banks.find(consent.bic)
    const accounts = bank && context.banks.connectorOf(bank).accounts
    if (bank !== undefined && accounts !== undefined) {
      for (const account of await listAccountsOfConsent(context, consent)) {
        const key = `${consent.partnerId} ${bank.bic} ${account.stableId}`
        accountByKey.set(key, accountByKey.get(key) ?? { bank, consent, account, accounts })
      }
    }
  }
  return [...accountByKey.values()]
}

async function compareAccount(
  context: Context,
  window: ReconciliationWindow,
  at: AccountAtBank,
): Promise<AccountComparison> {
  const { bank, consent, account } = at
  const { partnerId, organisationNumber } = consent
  const named = { partnerId, bank: bank.bic, organisationNumber, account: account.stableId }
  const ended = (outcome: ComparedAccount['outcome'], text: string | null, debits = 0) => ({
    ...named,
    outcome,
    text,
    debits,
  })
  if (bank.supports.endToEndIdMax === null) {
    return { account: ended('without-ids', 'entries of this bank do not name orders'), orders: [] }
  }
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(bank.profile.timeZone).toPlainDate()
  const days = { from: dayOf(window.from), to: dayOf(window.to) }
  const quota = { bank, consent, kind: 'entries', stableId: account.stableId } as const
  try {
    const read = await withReadQuotaRecorded(context, quota, () => findUnmatchedDebits(context, at, days))
    if (read === null) {
      return { account: ended('failed', 'the bank permits no further reads today'), orders: [] }
    }
    const orders = read.unmatched.map((debit) => orderOfDebit(at, debit))
    return { account: ended('compared', null, read.debits), orders }
  } catch (error) {
    if (error instanceof BankError) {
      return { account: ended('failed', `${error.kind}: ${error.message}`), orders: [] }
    }
    throw error
  }
}

function orderOfDebit({ bank, consent, account }: AccountAtBank, { entry, ended }: UnmatchedDebit): FoundOrder {
  const { partnerId, organisationNumber } = consent
  const bookedOn = entry.bookedOn?.toString() ?? 'pending'
  const { endToEndId, transactionId } = entry
  const detail = { bank: bank.bic, company: organisationNumber, account: account.stableId, endToEndId }
  const shown = { ...detail, bookedOn, transactionId }
  return ended === null
    ? {
        ...{ partnerId, bank: bank.bic, kind: 'UnrecordedOrder' },
        subjectId: subjectOfNamedOrder(partnerId, bank.bic, endToEndId),
        detail: shown,
      }
    : { ...{ partnerId, bank: bank.bic, kind: 'ExecutedAfterEnd' }, subjectId: ended.id, detail: shown }
}

/** Nothing where no provider is configured. The provider does not know for which partner it has booked. */
export async function compareDeals(
  context: Context,
  window: ReconciliationWindow,
): Promise<readonly AccountComparison[]> {
  const compared = await findUnrecordedDeals(context, window)
  if (compared === undefined) {
    return []
  }
  const { provider, conversions, error } = compared
  const outcome = error === null ? 'compared' : 'failed'
  const named = { partnerId: NO_PARTNER, bank: provider, organisationNumber: '-', account: 'conversions' }
  return [{ account: { ...named, outcome, text: error, debits: conversions }, orders: ordersOf(compared) }]
}

function ordersOf({ provider, unrecorded }: DealComparison): AccountComparison['orders'] {
  return unrecorded.map(({ dealId, conversion: { id, providerStatus, buy, sell, settlesAt } }) => ({
    ...{ partnerId: NO_PARTNER, bank: provider, kind: 'UnrecordedDeal', subjectId: dealId },
    detail: {
      provider,
      conversionId: id,
      bankStatus: providerStatus,
      buy: `${formatAmount(buy)} ${buy.currency}`,
      sell: `${formatAmount(sell)} ${sell.currency}`,
      settlesAt: settlesAt?.toString() ?? null,
    },
  }))
}
