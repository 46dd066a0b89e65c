/** FIK, the Danish payment form: a card type, often a payment id, and the receiver's creditor or giro number. */
import { passesModulus10 } from '../check-digits.ts'
import {
  type CheckedReference,
  type FikParts,
  type FikReference,
  notUsedIn,
  type Reference,
} from '../payment-reference.ts'
import { withoutSpaces } from '../separators.ts'

type CardType = {
  /** Null where the form has no payment id. */
  readonly idDigits: number | null
  readonly creditor: { readonly pattern: RegExp; readonly told: string }
  readonly takesMessage: boolean
}

const GIRO = { pattern: /^[0-9]{7,8}$/, told: 'a giro number of 7 or 8 digits' }
const CREDITOR = { pattern: /^8[0-9]{7}$/, told: 'a creditor number of 8 digits beginning with 8' }
const ANY_CREDITOR = { pattern: /^[0-9]{8}$/, told: 'a creditor number of 8 digits' }

/** Sources are thin on 15: it is a giro form with a payment id. */
const cardTypes: ReadonlyMap<string, CardType> = new Map(
  Object.entries({
    '01': { idDigits: null, creditor: GIRO, takesMessage: true },
    '04': { idDigits: 16, creditor: GIRO, takesMessage: false },
    '15': { idDigits: 16, creditor: GIRO, takesMessage: false },
    '71': { idDigits: 15, creditor: CREDITOR, takesMessage: false },
    '73': { idDigits: null, creditor: ANY_CREDITOR, takesMessage: true },
    '75': { idDigits: 16, creditor: ANY_CREDITOR, takesMessage: true },
  }),
)

/** Checks a form in either shape; it is kept as its printed line, `+71<000100017156728+81234567<`. */
export function checkDanishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'fik') {
    return notUsedIn('Denmark', 'a payment form is of type fik')
  }
  const { value, message } = reference
  const line = value === undefined ? undefined : fikParts(value)
  if (value !== undefined && line === undefined) {
    return no('is not the line of a payment form, as in +71<000000000000018+81234567<')
  }
  const readings = [line, namedParts(reference)].flatMap((parts) =>
    parts === undefined ? [] : checkFik(message === undefined ? parts : { ...parts, message }),
  )
  const [first = no('has neither the line of a payment form nor its card type and creditor number'), second = first] =
    readings
  const isOne = first.ok && second.ok && first.reference === second.reference
  return isOne || !first.ok || readings.length === 1 ? first : no('has a line and parts that do not say the same')
}

/** What a sound form says, whichever shape it came in; the payment id has its full length. */
export function formOf(reference: FikReference): FikParts | undefined {
  const checked = checkDanishReference(reference)
  const parts = checked.ok ? fikParts(checked.reference) : undefined
  return parts === undefined || reference.message === undefined ? parts : { ...parts, message: reference.message }
}

/** The parts as they were sent, without the spaces that forms are printed with. */
function namedParts({ cardType, paymentId, creditorNumber }: FikReference): FikParts | undefined {
  if (cardType === undefined || creditorNumber === undefined) {
    return undefined
  }
  const number = withoutSpaces(creditorNumber)
  return paymentId === undefined
    ? { cardType, creditorNumber: number }
    : { cardType, paymentId: withoutSpaces(paymentId), creditorNumber: number }
}

/** The parts of a printed line, unchecked; undefined when it is none. The last mark is often left out. */
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
    return no(`has the card type ${cardType}; known are ${[...cardTypes.keys()].join(', ')}`)
  }
  const id = checkPaymentId(cardType, paymentId, type.idDigits)
  if (id.reason !== undefined) {
    return no(id.reason)
  }
  if (!type.creditor.pattern.test(creditorNumber) || /^0+$/.test(creditorNumber)) {
    return no(`has not ${type.creditor.told}, which card type ${cardType} names its receiver by`)
  }
  if (message !== undefined && !type.takesMessage) {
    return no(`has a message, which card type ${cardType} does not carry`)
  }
  const checkMethod = type.idDigits === null ? 'None' : 'Modulus10'
  return { ok: true, reference: `+${cardType}<${id.filled}+${creditorNumber}<`, checkMethod }
}

type PaymentId = { readonly filled: string; readonly reason?: undefined } | { readonly reason: string }

/** Leading zeros may be left out. */
function checkPaymentId(cardType: string, paymentId: string, digits: number | null): PaymentId {
  if (digits === null) {
    return paymentId === ''
      ? { filled: '' }
      : { reason: `has a payment id, which card type ${cardType} does not carry` }
  }
  if (!/^[0-9]+$/.test(paymentId) || paymentId.length > digits) {
    return { reason: `has not a payment id of 1 to ${digits} digits, as card type ${cardType} demands` }
  }
  if (/^0+$/.test(paymentId)) {
    return { reason: 'has a payment id of zeros only' }
  }
  return passesModulus10(paymentId)
    ? { filled: paymentId.padStart(digits, '0') }
    : { reason: 'has a payment id with a wrong check digit (modulus 10)' }
}

function no(reason: string): CheckedReference {
  return { ok: false, reason }
}
