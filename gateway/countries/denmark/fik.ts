/** FIK, the Danish payment form: a card type, often a payment id, and the receiver's creditor or giro number. */
import { passesModulus10 } from '../check-digits.ts'
import { type CheckedReference, type FikParts, notUsedIn, type Reference } from '../reference.ts'

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
  const parts = 'cardType' in reference ? reference : fikParts(reference.value)
  return parts === undefined
    ? no('is not the line of a payment form, as in +71<000000000000018+81234567<')
    : checkFik(parts)
}

/** The parts of a printed line, unchecked; undefined when it is none. The last mark is often left out. */
export function fikParts(line: string): FikParts | undefined {
  const [, cardType, paymentId, creditorNumber] =
    /^\+([0-9]{2})<([0-9]*)\+([0-9]+)<?$/.exec(line.replaceAll(' ', '')) ?? []
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
  if (!type.creditor.pattern.test(creditorNumber)) {
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
