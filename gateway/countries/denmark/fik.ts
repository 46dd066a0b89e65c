/** Validates FIK, the Danish payment form: a card type, a payment id for some types, and a creditor or giro number. */

import { withoutSpaces } from '../../platform/copied-text.ts'
import {
  type CheckedReference,
  type FikParts,
  type FikReference,
  invalid,
  type Reference,
  referenceTypeNotUsed,
} from '../country.ts'
import { passesModulus10 } from '../number-checks.ts'

type CardType = {
  /** Null for types without a payment id. */
  readonly idDigits: number | null
  readonly creditor: { readonly pattern: RegExp; readonly description: string }
  readonly supportsMessage: boolean
}

const GIRO = { pattern: /^[0-9]{7,8}$/, description: 'a giro number of 7 or 8 digits' }
const CREDITOR = { pattern: /^8[0-9]{7}$/, description: 'a creditor number of 8 digits beginning with 8' }
const ANY_CREDITOR = { pattern: /^[0-9]{8}$/, description: 'a creditor number of 8 digits' }

/** Few sources describe type 15: a giro form with a payment id. */
const cardTypes: ReadonlyMap<string, CardType> = new Map(
  Object.entries({
    '01': { idDigits: null, creditor: GIRO, supportsMessage: true },
    '04': { idDigits: 16, creditor: GIRO, supportsMessage: false },
    '15': { idDigits: 16, creditor: GIRO, supportsMessage: false },
    '71': { idDigits: 15, creditor: CREDITOR, supportsMessage: false },
    '73': { idDigits: null, creditor: ANY_CREDITOR, supportsMessage: true },
    '75': { idDigits: 16, creditor: ANY_CREDITOR, supportsMessage: true },
  }),
)

/** Validates the line or the parts; normalised to the printed line, `+71<000100017156728+81234567<`. */
export function checkDanishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'fik') {
    return referenceTypeNotUsed('Denmark', 'a payment form is of type fik')
  }
  const { value, message } = reference
  const line = value === undefined ? undefined : fikParts(value)
  if (value !== undefined && line === undefined) {
    return invalid('is not the line of a payment form, as in +71<000000000000018+81234567<')
  }
  const candidates = [line, namedParts({ ...line, ...reference })].flatMap((parts) =>
    parts === undefined ? [] : checkFik(message === undefined ? parts : { ...parts, message }),
  )
  const [
    first = invalid('must have the line of a payment form, or its card type and creditor number'),
    second = first,
  ] = candidates
  const isSame = first.ok && second.ok && first.reference === second.reference
  return isSame || !first.ok || candidates.length === 1 ? first : invalid('has a line and parts that do not match')
}

/** The parts of a valid form, with the payment id in full length; undefined if it is invalid. */
export function parseFikReference(reference: FikReference): FikParts | undefined {
  const checked = checkDanishReference(reference)
  const parts = checked.ok ? fikParts(checked.reference) : undefined
  return parts === undefined || reference.message === undefined ? parts : { ...parts, message: reference.message }
}

/** The given parts, without printed spaces. Next to a line, each part that is given must be that of the line. */
function namedParts({ cardType, paymentId, creditorNumber }: FikReference): FikParts | undefined {
  if (cardType === undefined || creditorNumber === undefined) {
    return undefined
  }
  const [type, number] = [withoutSpaces(cardType), withoutSpaces(creditorNumber)]
  return paymentId === undefined
    ? { cardType: type, creditorNumber: number }
    : { cardType: type, paymentId: withoutSpaces(paymentId), creditorNumber: number }
}

/** Parses a printed line without validation; undefined if it has another format. The last mark is often omitted. */
export function fikParts(line: string): FikParts | undefined {
  const [, cardType, paymentId, creditorNumber] = /^\+([0-9]{2})<([0-9]*)\+([0-9]+)<?$/.exec(withoutSpaces(line)) ?? []
  if (cardType === undefined || paymentId === undefined || creditorNumber === undefined) {
    return undefined
  }
  return paymentId === '' ? { cardType, creditorNumber } : { cardType, paymentId, creditorNumber }
}

function checkFik({ cardType, paymentId = '', creditorNumber, message }: FikParts): CheckedReference {
  const type = cardTypes.get(cardType)
  if (type === undefined) {
    return invalid(`has the unknown card type ${cardType}; must be one of ${[...cardTypes.keys()].join(', ')}`)
  }
  const id = checkPaymentId(cardType, paymentId, type.idDigits)
  if (id.reason !== undefined) {
    return invalid(id.reason)
  }
  if (!type.creditor.pattern.test(creditorNumber) || /^0+$/.test(creditorNumber)) {
    return invalid(`must have ${type.creditor.description} for card type ${cardType}`)
  }
  if (message !== undefined && !type.supportsMessage) {
    return invalid(`has a message, which card type ${cardType} does not support`)
  }
  const checkMethod = type.idDigits === null ? 'None' : 'Modulus10'
  return { ok: true, reference: `+${cardType}<${id.padded}+${creditorNumber}<`, checkMethod }
}

type PaymentId = { readonly padded: string; readonly reason?: undefined } | { readonly reason: string }

/** Leading zeros may be omitted. */
function checkPaymentId(cardType: string, paymentId: string, digits: number | null): PaymentId {
  if (digits === null) {
    return paymentId === ''
      ? { padded: '' }
      : { reason: `has a payment id, which card type ${cardType} does not support` }
  }
  if (!/^[0-9]+$/.test(paymentId) || paymentId.length > digits) {
    return { reason: `must have a payment id of 1 to ${digits} digits for card type ${cardType}` }
  }
  if (/^0+$/.test(paymentId)) {
    return { reason: 'has a payment id of only zeros' }
  }
  return passesModulus10(paymentId)
    ? { padded: paymentId.padStart(digits, '0') }
    : { reason: 'has a payment id with a wrong check digit (modulus 10)' }
}
