/** Validates Danish account numbers and payment forms: registration number, creditor number, card types. */
import { fitsModulus10, isIban, makeIban } from './check-digits.ts'
import type { NationalRules } from './national-rules.ts'

const REGISTRATION_DIGITS = 4
const ACCOUNT_DIGITS = 10
const NUMBER = /^(?!0000)[0-9]{5,14}$/

/** The parts of a payment form with this card type. */
type CardType = { readonly creditor: RegExp; readonly idDigits: number; readonly message: boolean }

const GIRO_ACCOUNT = /^[0-9]{7,8}$/
const CREDITOR_NUMBER = /^8[0-9]{7}$/

const cardTypes: Readonly<Record<string, CardType>> = {
  '01': { creditor: GIRO_ACCOUNT, idDigits: 0, message: true },
  '04': { creditor: GIRO_ACCOUNT, idDigits: 16, message: false },
  '15': { creditor: GIRO_ACCOUNT, idDigits: 16, message: false },
  '71': { creditor: CREDITOR_NUMBER, idDigits: 15, message: false },
  '73': { creditor: /^[0-9]{8}$/, idDigits: 0, message: true },
  '75': { creditor: /^[0-9]{8}$/, idDigits: 16, message: true },
}

export const denmark: NationalRules = {
  readAccount: readDanishAccount,
  ibanOf: (number) => makeIban('DK', number),
  numberOfIban: (iban) => (isIban(iban) && iban.length === 18 ? readDanishAccount(iban.slice(4)) : undefined),
  printAccount: (number) =>
    number
      .replace(/^(\d{4})(\d{10})$/, '$1 $2')
      .replace(/^8\d{7}$/, 'Kreditornummer $&')
      .replace(/^\d{7,8}$/, 'Girokonto $&'),
  isReference: (text) => text.length <= 35,
  letters: /^[a-zA-Z0-9/\-?:().,'+ ÆØÅæøå&]*$/,
  words: {
    account: 'a valid Danish one',
    reference: 'Betalings-ID',
    login: 'MitID',
    paid: 'Betaling',
    received: 'Indbetaling',
  },
}

/** A payment form, parsed from a reference such as `71/000100017156728` or `73`. */
export type PaymentForm = { readonly cardType: string; readonly paymentId: string; readonly takesMessage: boolean }

/** Parses a payment form's reference; returns an error message when it is invalid. */
export function readPaymentForm(reference: string, creditor: string): PaymentForm | string {
  const [, type = '', id = ''] = /^([0-9]{2})(?:\/([0-9]*))?$/.exec(reference) ?? []
  const card = cardTypes[type]
  if (card === undefined) {
    return `A payment form is one of the card types ${Object.keys(cardTypes).join(', ')}`
  }
  if (!card.creditor.test(creditor)) {
    return `Card type ${type} is not paid to ${creditor}`
  }
  const isSound = card.idDigits === 0 ? id === '' : id.length === card.idDigits && fitsModulus10(id) && /[1-9]/.test(id)
  return isSound
    ? { cardType: type, paymentId: id, takesMessage: card.message }
    : `The payment id is not valid for card type ${type}`
}

/** Registration number and account, padded to fourteen digits; Danish numbers have no check digit. */
function readDanishAccount(text: string): string | undefined {
  const digits = text.replace(/[ .-]/g, '')
  return NUMBER.test(digits)
    ? digits.slice(0, REGISTRATION_DIGITS) + digits.slice(REGISTRATION_DIGITS).padStart(ACCOUNT_DIGITS, '0')
    : undefined
}
