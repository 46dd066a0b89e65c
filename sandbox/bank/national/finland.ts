/** Validates Finnish account numbers and references: IBAN, viitenumero, RF. */
import { fitsModulus10, fitsModulus97, inGroupsOfFour, isIban, makeIban } from './check-digits.ts'
import type { NationalRules } from './national-rules.ts'

const NUMBER = /^[0-9]{14}$/
const REFERENCE = /^[0-9]{4,20}$/
const CREDITOR_REFERENCE = /^RF[0-9]{2}[A-Z0-9]{1,21}$/
const WEIGHTS = [7, 3, 1]

export const finland: NationalRules = {
  readAccount: (text) => (NUMBER.test(text) && fitsModulus10(text) ? text : undefined),
  ibanOf: (number) => makeIban('FI', number),
  // Some institutions issue IBANs whose inner check digit is wrong.
  numberOfIban: (iban) => (isIban(iban) && NUMBER.test(iban.slice(4)) ? iban.slice(4) : undefined),
  printAccount: (number) => (/^\d+$/.test(number) ? inGroupsOfFour(makeIban('FI', number)) : number),
  isReference: (text) => isViitenumero(text) || isCreditorReference(text),
  letters: /^[a-zA-Z0-9/\-?:().,'+ ÅÄÖåäö]*$/,
  words: {
    account: 'a valid Finnish IBAN',
    reference: 'Viite',
    login: 'verkkopankkitunnukset',
    paid: 'Maksu',
    received: 'Pano',
  },
}

/**
 * Weights 7, 3, 1 from the right; the check digit completes the sum to a multiple of ten. Leading zeros are ignored.
 */
function isViitenumero(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse()
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0), 0)
  return REFERENCE.test(text) && sum > 0 && (10 - (sum % 10)) % 10 === Number(text.at(-1))
}

/** ISO 11649. */
function isCreditorReference(text: string): boolean {
  return CREDITOR_REFERENCE.test(text) && fitsModulus97(text.slice(4) + text.slice(0, 4))
}
