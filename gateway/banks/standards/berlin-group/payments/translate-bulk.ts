/** Translates the reported statuses of the payments in a bulk, and derives the status of the bulk. */

import { type Static, Type } from 'typebox'
import type { PaymentStatusValue } from '../../../../../contract/payments/payment-status.ts'
import { allCountryRules } from '../../../../countries/served-countries.ts'
import { tolerantResponseParser, tolerantValueParser } from '../../../../platform/http/response-parser.ts'
import { BankError, type OrderError, UnusableOrderIdError } from '../../../connector/bank-error.ts'
import type {
  BulkObservation,
  BulkTransactionObservation,
  KnownBulkTransaction,
  StatusObservation,
} from '../../../connector/bank-order.ts'
import { statedText } from '../../../connector/bank-text.ts'
import { endToEndIdFor } from '../../../connector/shorten-end-to-end-id.ts'
import type { Dialect } from '../dialect.ts'
import { bankReasonOf, standardStatus, toStatusObservation } from '../translate-payment-status.ts'
import { AccountReference, Identifier, PaymentCreated, PaymentDetails, PaymentStatus, Text } from '../wire.ts'

const UNKNOWN_TRANSACTIONS_MESSAGE = 'The bank executes a part of these payments and does not report which'

/** A bulk is open while one of its payments has one of these; the first, which users can act upon, is reported. */
const OPEN_FIRST: readonly PaymentStatusValue[] = ['CustomerActionRequired', 'Unsigned', 'InProgress']
const FINAL_FIRST: readonly PaymentStatusValue[] = ['Completed', 'Rejected', 'Cancelled']

/** Whether the bank accepted or executed a part of a bulk: reported only once all have signed (API, `PART`). */
export function isPartlyAccepted({ transactionStatus }: PaymentStatus, dialect: Dialect): boolean {
  return standardStatus(transactionStatus, dialect) === 'PART'
}

/** The status of a payment in such a bulk. */
export function toTransactionObservation(
  answer: PaymentStatus,
  place: Pick<BulkTransactionObservation, 'position' | 'elementId'>,
  dialect: Dialect,
): BulkTransactionObservation {
  return { ...place, ...redactAmounts(toStatusObservation(answer, true, dialect)) }
}

/** The status of a partly accepted bulk, by the reported and stored statuses of its payments. */
export function toPartialBulkObservation(
  answer: PaymentStatus,
  known: readonly KnownBulkTransaction[],
  elements: readonly BulkTransactionObservation[] | null,
): BulkObservation {
  const bankStatus = answer.transactionStatus
  const text = bankReasonOf(answer)
  if (elements === null) {
    const both = text === null ? UNKNOWN_TRANSACTIONS_MESSAGE : `${UNKNOWN_TRANSACTIONS_MESSAGE}: ${text}`
    return redactAmounts({ status: 'InProgress', statusReason: null, statusReasonText: both, bankStatus })
  }
  const reportedByPosition = new Map(elements.map((element) => [element.position, element]))
  const statuses = new Set(known.map(({ status }, position) => reportedByPosition.get(position)?.status ?? status))
  const status = statuses.has(null) && !statuses.has('CustomerActionRequired') ? 'InProgress' : firstOf(statuses)
  const { statusReason = null } = elements.find((element) => element.status === status) ?? {}
  const reason = status === 'CustomerActionRequired' ? statusReason : null
  return { ...redactAmounts({ status, statusReason: reason, statusReasonText: text, bankStatus }), elements }
}

function firstOf(statuses: ReadonlySet<PaymentStatusValue | null>): StatusObservation['status'] {
  return [...OPEN_FIRST, ...FINAL_FIRST].find((status) => statuses.has(status)) ?? 'InProgress'
}

/** Whether no further status is expected. */
export function isFinalTransaction({ status }: Pick<KnownBulkTransaction, 'status'>): boolean {
  return status !== null && FINAL_FIRST.includes(status)
}

/**
 * The payments that a bank lists, by position: matched by the bank's id, else by ours, else by the index in the list if
 * the list is complete.
 */
export function matchTransactions(
  listed: readonly ListedTransaction[],
  known: readonly KnownBulkTransaction[],
  dialect: Dialect,
): ReadonlyMap<number, ListedTransaction> {
  const byElementId = positionsByUniqueId(known.map(({ elementId }) => elementId))
  const byEndToEndId = positionsByUniqueId(known.map(({ endToEndId }) => endToEndIdFor(endToEndId, dialect)))
  const unique = positionsByUniqueId(listed.map(({ paymentId }) => statedText(paymentId)))
  const isWhole = listed.length === known.length
  const submitted = listed.map((element, index): readonly [number | undefined, ListedTransaction] => {
    const { paymentId = '' } = element
    const shown = statedText(element.endToEndIdentification)
    const isNamed = dialect.endToEndIdMax !== null && shown !== null
    const named = isNamed ? byEndToEndId.get(shown) : isWhole ? index : undefined
    const byOwnId = unique.has(paymentId) ? byElementId.get(paymentId) : undefined
    return [byOwnId ?? named, element]
  })
  const places = new Map<number, ListedTransaction>()
  for (const [position, element] of submitted) {
    if (position !== undefined && !places.has(position)) {
      places.set(position, element)
    }
  }
  return places
}

/** An id that is given twice identifies nothing. */
function positionsByUniqueId(ids: readonly (string | null)[]): ReadonlyMap<string, number> {
  const positions = Map.groupBy(ids.keys(), (position) => ids[position] ?? '')
  return new Map(
    [...positions].flatMap(([id, [first, ...others]]) =>
      id === '' || first === undefined || others.length > 0 ? [] : [[id, first]],
    ),
  )
}

/** Replaces an amount. */
const REDACTED = '…'
const CURRENCIES = allCountryRules.map(({ currency }) => currency).join('|')
const NUMBER = String.raw`\d[\d .,'\u00a0\u202f]*`
/** Two decimals, or a number next to a currency: amounts in banks' texts. */
const AMOUNT = new RegExp(
  String.raw`${NUMBER}[.,]\d{2}(?!\d)|${NUMBER}(?:${CURRENCIES}|kr\b)|(?:${CURRENCIES}|\bkr)[ \u00a0]?\d[\d.,]*`,
  'gi',
)

/** Replacements for the bank's texts, which may quote the rejected value. */
const textByCause: Readonly<Record<OrderError['cause'], string>> = {
  'too-long': 'it is longer than the bank takes',
  characters: 'it has characters that the bank does not take',
  invalid: 'it is not as the bank wants it',
}

/** The observation without amounts. Account numbers and national ids are already redacted. */
export function redactAmounts<Observation extends StatusObservation>(observation: Observation): Observation {
  const { statusReasonText: text } = observation
  return text === null ? observation : { ...observation, statusReasonText: text.replace(AMOUNT, REDACTED) }
}

/** The error of a bulk with our own texts for errors of single payments. */
export function redactBulkError(error: BankError): BankError {
  if (error instanceof UnusableOrderIdError) {
    return error
  }
  const { kind, message, validationErrors, cause, laterCalls } = error
  const { size } = new Set(validationErrors.flatMap(({ position }) => position ?? []))
  const text =
    size === 0
      ? message.replace(AMOUNT, REDACTED)
      : `The bank rejects the bulk because of ${size === 1 ? 'a payment' : `${size} payments`} in it`
  return new BankError(kind, text, validationErrors.map(redactOrderError), cause).saying(laterCalls)
}

function redactOrderError(validationError: OrderError): OrderError {
  return validationError.position === undefined
    ? { ...validationError, text: validationError.text.replace(AMOUNT, REDACTED) }
    : { ...validationError, text: textByCause[validationError.cause] }
}

/** Answer to `POST /bulk-payments/{product}`. The bulk is accepted whatever `payments` contains. */
const BulkCreated = Type.Object({ ...PaymentCreated.properties, payments: Type.Optional(Type.Unknown()) })

/** One payment listed in a bulk; id and status are extensions of some banks. */
const ListedTransaction = Type.Object({
  ...PaymentDetails.properties,
  ...PaymentStatus.properties,
  transactionStatus: Type.Optional(Text),
  paymentId: Type.Optional(Text),
  endToEndIdentification: Type.Optional(Text),
})

/** Answer to `GET /bulk-payments/{product}/{paymentId}`. */
const BulkDetails = Type.Object({
  debtorAccount: Type.Optional(AccountReference),
  paymentInformationId: Type.Optional(Text),
  payments: Type.Optional(Type.Array(ListedTransaction, { readable: true })),
})

export type ListedTransaction = Static<typeof ListedTransaction>
export type BulkDetails = Static<typeof BulkDetails>

export const parseBulkCreated = tolerantResponseParser(BulkCreated)
export const parseBulkDetails = tolerantResponseParser(BulkDetails)
/** The payment ids in the answer to an initiation, by position; undefined where they are absent or one is damaged. */
export const parseTransactionIds = tolerantValueParser(
  Type.Array(Type.Object({ paymentId: Type.Optional(Identifier) }), { complete: true }),
)
