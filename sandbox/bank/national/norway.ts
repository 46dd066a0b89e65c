/** Validates Norwegian account numbers and customer references: modulus 11, IBAN, KID. */
import { fitsModulus10, makeIban, weightedSum } from './check-digits.ts'
import type { NationalRules } from './national-rules.ts'

const ACCOUNT_NUMBER = /^(?!0000)[0-9]{11}$/
const ACCOUNT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const KID = /^[0-9]{1,24}[0-9-]$/

export const norway: NationalRules = {
  readAccount: (text) => (isNorwegianAccountNumber(text) ? text : undefined),
  ibanOf: (number) => makeIban('NO', number),
  numberOfIban: (iban) => (isNorwegianAccountNumber(iban.slice(4)) ? iban.slice(4) : undefined),
  printAccount: (number) => number.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3'),
  isReference: isNorwegianKid,
  letters: /^[a-zA-Z0-9/\-?:().,'+ ÆØÅæøåÄÖÜÉäöüé&%=@§!]*$/,
  words: {
    account: 'a valid Norwegian one',
    reference: 'KID',
    login: 'BankID',
    paid: 'Betaling',
    received: 'Innbetaling',
  },
}

/** Eleven digits, the last a modulus 11 check digit. */
export function isNorwegianAccountNumber(text: string): boolean {
  return ACCOUNT_NUMBER.test(text) && (11 - (weightedSum(text, ACCOUNT_WEIGHTS) % 11)) % 11 === Number(text[10])
}

/** 2 to 25 characters, the last a modulus 10 or modulus 11 check digit. */
export function isNorwegianKid(text: string): boolean {
  return KID.test(text) && (fitsModulus10(text) || fitsModulus11(text))
}

function fitsModulus11(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse()
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0)
  const check = (11 - (sum % 11)) % 11
  return text.at(-1) === (check === 10 ? '-' : String(check))
}
