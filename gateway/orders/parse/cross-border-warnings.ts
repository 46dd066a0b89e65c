/** Lists the warnings about a cross-border payment: what its bank will change, too low a balance, a possible duplicate. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { getAccountBalance } from '../../accounts/get-account-balance.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { calendarOf, nextBankDay } from '../../countries/bank-days.ts'
import type { Destination, DestinationWarning } from '../../countries/destinations/destination.ts'
import { normaliseDestination } from '../../countries/destinations/normalise-destination.ts'
import { ApiError, apiError, withSubject } from '../../platform/http/errors/api-error.ts'
import { formatMoney, type Money, parseMoney } from '../../platform/money.ts'
import { isOutcomeUnknown, type Payment } from '../payment.ts'
import { listSimilarExchanges } from '../store/exchange-store.ts'
import { orderOfAcceptedCrossBorderPayment, type ValidCrossBorderPayment } from './cross-border-parts.ts'
import { DUPLICATE, DUPLICATE_WITHIN, dueDateWarnings, notCarriedWarnings } from './domestic-payment-warnings.ts'
import type { LocatedReportingFinding } from './exchange-validation.ts'
import { crossBorderExecutionDay } from './execution-day.ts'
import type { ValidationContext } from './validation-context.ts'

/** In the order of the fields in the API; `findings` are those of the validation. */
export function crossBorderWarnings(
  { ordered, dueDate, requiresExchange, destination }: ValidCrossBorderPayment,
  { bank, localNow }: ValidationContext,
  findings: {
    readonly destination: readonly DestinationWarning[]
    readonly reporting: readonly LocatedReportingFinding[]
  },
): readonly PaymentWarning[] {
  const { to, remittanceInformation, regulatoryReporting } = ordered
  const exchange = requiresExchange ? 'unsigned' : null
  const executed = crossBorderExecutionDay({ dueDate, exchange }, bank, localNow)
  const late = () =>
    `comes after the cut-off of ${bank.name}, which executes the payment on ${executed.day} if it is signed now`
  const { crossBorder, debtorReference } = bank.supports
  // With exchange, the FX provider pays the receiver, and the bank executes a domestic order.
  const sendsReporting = !requiresExchange && crossBorder?.regulatoryReporting === true
  const missing = {
    '.to.account.clearingCode':
      to.account.clearingCode !== undefined && !requiresExchange && crossBorder?.clearingCode !== true,
    '.remittanceInformation.debtorReference': remittanceInformation.debtorReference !== undefined && !debtorReference,
    '.regulatoryReporting': regulatoryReporting !== undefined && !sendsReporting,
  }
  return [
    ...creditorWarnings(ordered, findings.destination),
    ...dueDateWarnings(executed, bank, late),
    ...notCarriedWarnings(bank, missing),
    ...(requiresExchange ? unsentInformationWarnings(destination, findings.destination) : []),
    ...findings.reporting
      .filter(({ isWarning }) => isWarning)
      .map(({ path, reason }) => withSubject({ code: 'ReportingUnverified', path, reason } as const)),
  ]
}

/** The FX provider gets only what payments to the country support; without exchange all of it is in the message. */
function unsentInformationWarnings(
  destination: Destination,
  warnings: readonly DestinationWarning[],
): readonly PaymentWarning[] {
  const { taxCode, reason, purpose } = normaliseDestination(destination)
  const sent = { TaxCode: taxCode, Reason: reason, Purpose: purpose }
  return destination.additionalInformation.flatMap(({ type }, index) => {
    const warning = warnings.find((found) => found.part === 'additionalInformation' && found.index === index)
    const path = `.remittanceInformation.additionalInformation[${index}]`
    return warning === undefined || sent[type] !== undefined
      ? []
      : [withSubject({ code: 'NotCarriedByBank', reason: warning.reason, path } as const)]
  })
}

/** Some genuine numbers look invalid. */
function creditorWarnings(
  { to }: CrossBorderPayment,
  warnings: readonly DestinationWarning[],
): readonly PaymentWarning[] {
  return warnings
    .filter(({ part }) => part === 'iban' || part === 'bban' || part === 'bic')
    .map(({ part, reason }) => ({
      code: 'AccountNumberUnverified',
      reason: part === 'bic' ? `The BIC ${reason}` : `The account number ${reason}`,
      path: `.to.account.${part === 'bic' ? part : to.account.type}`,
    }))
}

/** Before this time, incoming payments of the day may still cover what is due on the next bank day. */
const COUNTS_FOR_NEXT_DAY_FROM = Temporal.PlainTime.from('16:00')

/** The amount, account and due date of a payment. */
type Debit = {
  readonly account: Pick<ConsentAccount, 'id'>
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** The current local date and time at the bank. */
  readonly localNow: Temporal.PlainDateTime
}

/** Reads the balance only for due payments; a failure of the bank never prevents the payment. */
export async function balanceWarning(
  context: Context,
  caller: ConsentCaller,
  debit: Debit,
): Promise<readonly PaymentWarning[]> {
  const available = isDueNow(debit, caller.consent.countryCode)
    ? await readAvailableBalance(context, caller, debit.account.id)
    : undefined
  if (available?.currency !== debit.amount.currency || available.minor >= debit.amount.minor) {
    return []
  }
  const { amount, currency } = formatMoney(available)
  const reason = `The amount exceeds the available balance of the account, ${amount} ${currency}`
  return [{ code: 'BalanceTooLow', reason, path: '.amount' }]
}

function isDueNow({ dueDate, localNow }: Debit, countryCode: string): boolean {
  const today = localNow.toPlainDate()
  const isLate = Temporal.PlainTime.compare(localNow.toPlainTime(), COUNTS_FOR_NEXT_DAY_FROM) >= 0
  const latestDueDate = isLate ? nextBankDay([calendarOf(countryCode)], today.add({ days: 1 })) : today
  return Temporal.PlainDate.compare(dueDate, latestDueDate) <= 0
}

/** Returns undefined when the bank does not report the balance or is not available. */
async function readAvailableBalance(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
): Promise<Money | undefined> {
  try {
    const { availableBalance: balance } = await getAccountBalance(context, caller, accountId)
    const isNegative = balance?.amount.startsWith('-') === true
    const absolute = balance && parseMoney(balance.amount.replace('-', ''), balance.currency)
    return absolute && isNegative ? { ...absolute, minor: -absolute.minor } : absolute
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      context.log.info({ error: error.message }, 'the balance for a warning could not be read')
      return undefined
    }
    throw error
  }
}

/** Throws `conflict` while an equal order has an unknown outcome. */
export async function requireNoOpenExchange(
  context: Context,
  caller: Pick<ConsentCaller, 'partnerId' | 'consent'>,
  ordered: CrossBorderPayment,
): Promise<void> {
  const open = (await listEqualExchanges(context, caller, ordered)).find(isOutcomeUnknown)
  if (open !== undefined) {
    const message =
      'An order with this endToEndId, amount and receiver was submitted to the bank and its outcome is unknown; ' +
      'poll the payment named here'
    throw apiError('conflict', message, { paymentId: open.id })
  }
}

/** Warns of an equal exchange that was stored before this payment: of two at once, the later one has the warning. */
export async function duplicateExchangeWarnings(
  context: Context,
  caller: Pick<ConsentCaller, 'partnerId' | 'consent'>,
  ordered: CrossBorderPayment,
  paymentId: string,
): Promise<readonly PaymentWarning[]> {
  const earlier = (await listEqualExchanges(context, caller, ordered)).filter(({ id }) => id < paymentId)
  return earlier.slice(0, 1).map(({ id }) => ({ ...DUPLICATE, paymentId: id }))
}

async function listEqualExchanges(
  { clock, database }: Context,
  { partnerId, consent }: Pick<ConsentCaller, 'partnerId' | 'consent'>,
  ordered: CrossBorderPayment,
): Promise<readonly Payment[]> {
  const since = clock.now().subtract(DUPLICATE_WITHIN)
  const similar = await listSimilarExchanges(database, { partnerId, endToEndId: ordered.metadata.endToEndId, since })
  return similar.filter((payment) => isDuplicate(payment, ordered, consent.countryCode))
}

function isDuplicate({ type, ordered: stored }: Payment, ordered: CrossBorderPayment, countryCode: string): boolean {
  return (
    type === 'CrossBorder' &&
    stored.amount.currency === ordered.amount.currency &&
    Number(stored.amount.amount) === Number(ordered.amount.amount) &&
    receiverNumberOf(stored, countryCode) === receiverNumberOf(ordered, countryCode)
  )
}

/** As it is paid to: a Nordic account number and its IBAN are one. */
function receiverNumberOf(ordered: CrossBorderPayment, countryCode: string): string {
  return orderOfAcceptedCrossBorderPayment(ordered, countryCode).creditor.account.number
}
