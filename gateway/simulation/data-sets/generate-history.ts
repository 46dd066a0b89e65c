/** Generates payments of the past with all that they left behind, as if they had been ordered. */
import { invoice } from '../../../contract/examples/demo-fixture.ts'
import type { PastPayment, PastStatus } from '../../orders/store/past-payment-store.ts'
import { derivedId, lowestIdAt } from '../../platform/ids.ts'
import { formatAmount } from '../../platform/money.ts'
import type { LoggedRequest } from '../../request-log/logged-request.ts'
import type { StatusChange } from '../../webhooks/store/event.ts'
import type { HistoryPlan } from './data-set.ts'

/** Whose payments, and over which time. */
export type PastPayments = Pick<HistoryPlan, 'payments' | 'days'> & {
  readonly partnerId: string
  /** The morning of today; the last payment was ordered the day before. */
  readonly before: Temporal.Instant
}

/** Orders come between eight and five o'clock. */
const OPENING_SECONDS = 9 * 3_600
const CREDITORS = [
  ['Solvik kommune', '80503000028'],
  ['Granli Trelast AS', '80501200011'],
  ['Breidablikk Kraft AS', '80503000036'],
] as const
const DAYS_OF_WORK = 5
const APPROVED_AFTER = { minutes: 1 }
const SIGNED_AFTER = { minutes: 3 }
const SETTLED_AFTER = { minutes: 20 }
const LOGGED_BEFORE = { milliseconds: 40 }
/** Of a hundred, 94 are completed. */
const REJECTED = [7, 31, 55, 83]
const CANCELLED = [19, 67]
/** In the bank's words. */
const REJECTED_TEXT = 'AC04 ClosedAccountNumber'
export const DEBTOR_BBAN = invoice.from.account.type === 'bban' ? invoice.from.account.bban : ''

/** The time of day is that of Oslo in winter, which suffices for times of the past. */
export function morningBefore(today: Temporal.PlainDate): Temporal.Instant {
  return today.toZonedDateTime({ timeZone: 'UTC', plainTime: '07:00' }).toInstant()
}

/**
 * The payment with this number. Its ids hold the time of what they name, as the gateway's do; the rest of them, and
 * everything else, depends on the number only.
 */
export function generatePayment(history: PastPayments, number: number): PastPayment {
  const createdAt = timeOfOrder(history, number)
  const idAt = (at: Temporal.Instant, what: string) => derivedId(lowestIdAt(at), [history.partnerId, number, what])
  const [creditor, creditorBban] = CREDITORS[number % CREDITORS.length] ?? CREDITORS[0]
  const amountMinor = (100 + ((number * 7_919) % 40_000)) * 25
  const statusAt = (status: Omit<PastStatus, 'id' | 'reasonText'>): PastStatus => {
    const reasonText = status.status === 'Rejected' ? REJECTED_TEXT : null
    return { ...status, id: idAt(status.at, status.status), reasonText }
  }
  const signedAt = createdAt.add(SIGNED_AFTER)
  const end = endOf(number)
  const isSigned = end.status === 'Completed'
  return {
    id: idAt(createdAt, 'payment'),
    ordered: {
      ...invoice,
      metadata: { endToEndId: `History ${number}` },
      dueDate: dateOf(createdAt),
      amount: { amount: formatAmount({ minor: BigInt(amountMinor), currency: 'NOK' }), currency: 'NOK' },
      to: { account: { type: 'bban', bban: creditorBban }, contactInformation: { name: creditor } },
    },
    amountMinor,
    debtorBban: DEBTOR_BBAN,
    creditorBban,
    bankPaymentId: `history-${number}`,
    statuses: [
      statusAt({ at: createdAt, status: 'Unsigned', bankStatus: 'RCVD' }),
      ...(isSigned ? [statusAt({ at: signedAt, status: 'InProgress', bankStatus: 'ACTC' })] : []),
      statusAt({ at: createdAt.add(SETTLED_AFTER), ...end }),
    ],
    approval: isSigned ? { id: idAt(createdAt, 'approval'), createdAt: createdAt.add(APPROVED_AFTER), signedAt } : null,
  }
}

/** What would be ordered at a weekend is ordered on the Friday before it. */
function timeOfOrder({ payments, days, before }: PastPayments, number: number): Temporal.Instant {
  const day = before.subtract({ hours: 24 * (1 + Math.floor(((payments - number) * days) / payments)) })
  const sinceFriday = Math.max(0, day.toZonedDateTimeISO('UTC').dayOfWeek - DAYS_OF_WORK)
  return day.subtract({ hours: 24 * sinceFriday }).add({ seconds: (number * 104_729) % OPENING_SECONDS })
}

function endOf(number: number): Pick<PastStatus, 'status' | 'bankStatus'> {
  const ofHundred = number % 100
  if (REJECTED.includes(ofHundred)) {
    return { status: 'Rejected', bankStatus: 'RJCT' }
  }
  return CANCELLED.includes(ofHundred)
    ? { status: 'Cancelled', bankStatus: 'CANC' }
    : { status: 'Completed', bankStatus: 'ACSC' }
}

const dateOf = (at: Temporal.Instant): string => at.toString().slice(0, 'YYYY-MM-DD'.length)

/** The changes of the statuses of payments since a time, in their order. */
export function changesOf(
  partnerId: string,
  payments: readonly PastPayment[],
  since: Temporal.Instant,
): readonly StatusChange[] {
  return payments
    .flatMap(({ id, statuses }) =>
      statuses.map(({ at, status, reasonText }, index) => ({
        partnerId,
        paymentId: id,
        occurredAt: at,
        occurrence: 0,
        previousStatus: statuses[index - 1]?.status ?? null,
        status,
        statusReason: null,
        statusReasonText: reasonText,
      })),
    )
    .flatMap(({ previousStatus, ...change }) => (previousStatus === null ? [] : [{ ...change, previousStatus }]))
    .filter(({ occurredAt }) => isSince(occurredAt, since))
    .toSorted((one, other) => Temporal.Instant.compare(one.occurredAt, other.occurredAt))
}

/** The request that ordered a payment, a moment before it. */
export function requestOf(
  { partnerId, clientId, consentId }: { readonly [Id in 'partnerId' | 'clientId' | 'consentId']: string },
  { id, ordered, statuses: [{ at }] }: PastPayment,
): LoggedRequest {
  return {
    partnerId,
    id: derivedId(lowestIdAt(at.subtract(LOGGED_BEFORE)), [id]),
    clientId,
    method: 'POST',
    path: '/api/v2/payments',
    status: 200,
    milliseconds: 20 + ((at.epochMilliseconds / 1_000) % 60),
    isPayroll: false,
    errorCodes: [],
    unknownFields: [],
    subject: { type: 'payment', id },
    idempotencyKey: ordered.metadata.endToEndId,
    headers: { 'consent-id': consentId, 'content-type': 'application/json' },
    requestBody: JSON.stringify(ordered),
    responseBody: JSON.stringify({ paymentId: id, paymentStatus: 'Unsigned' }),
  }
}

export type BookedPayment = {
  readonly amount: string
  readonly counterparty: string
  readonly counterpartyAccount: string
  readonly endToEndId: string
  readonly bookedOn: string
}

/** What the bank books of payments: those that were completed, oldest first. */
export function bookingsOf(payments: readonly PastPayment[]): readonly BookedPayment[] {
  return payments
    .flatMap(({ ordered, creditorBban, statuses }) => {
      const { at, status } = statuses.at(-1) ?? statuses[0]
      const counterparty = ordered.to.contactInformation.name
      const { amount } = ordered.amount
      return status === 'Completed' ? [{ at, counterparty, creditorBban, amount, ...ordered.metadata }] : []
    })
    .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
    .map(({ at, counterparty, creditorBban, amount, endToEndId }) => ({
      amount: `-${amount}`,
      counterparty,
      counterpartyAccount: creditorBban,
      endToEndId,
      bookedOn: dateOf(at),
    }))
}

export function isSince(at: Temporal.Instant, since: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, since) >= 0
}
