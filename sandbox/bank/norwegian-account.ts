/** Norwegian account numbers and customer references as a bank checks them: modulus 11, IBAN, KID. */

const ACCOUNT_NUMBER = /^(?!0000)[0-9]{11}$/
const ACCOUNT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const KID = /^[0-9]{1,24}[0-9-]$/
/** The letters N and O followed by 00, as numbers, which stand behind the account while its check digits are computed. */
const NORWAY_IN_DIGITS = '232400'

/** Whether a text is a Norwegian account number: eleven digits, the last by modulus 11. */
export function isNorwegianAccountNumber(text: string): boolean {
  if (!ACCOUNT_NUMBER.test(text)) {
    return false
  }
  const sum = ACCOUNT_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0)
  return (11 - (sum % 11)) % 11 === Number(text[10])
}

/** The IBAN of a Norwegian account number (ISO 13616). */
export function ibanOf(bban: string): string {
  const check = 98n - (BigInt(bban + NORWAY_IN_DIGITS) % 97n)
  return `NO${check.toString().padStart(2, '0')}${bban}`
}

/** The Norwegian account number that a reference names, as `bban` or inside an `iban`; undefined when it is none. */
export function accountNumberOf(reference: { readonly bban?: string; readonly iban?: string }): string | undefined {
  const bban = reference.bban ?? bbanOfIban(reference.iban ?? '')
  return bban !== undefined && isNorwegianAccountNumber(bban) ? bban : undefined
}

/** The account number inside a Norwegian IBAN; undefined when the check digits are wrong or the country is another. */
function bbanOfIban(iban: string): string | undefined {
  const bban = iban.slice(4)
  return /^NO[0-9]{13}$/.test(iban) && ibanOf(bban) === iban ? bban : undefined
}

/** Whether a text is a KID: 2 to 25 characters whose last one fits modulus 10 or modulus 11. */
export function isKid(text: string): boolean {
  return KID.test(text) && (fitsModulus10(text) || fitsModulus11(text))
}

function fitsModulus10(text: string): boolean {
  const digits = [...text].reverse()
  const sum = digits.reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (product > 9 ? product - 9 : product)
  }, 0)
  return sum % 10 === 0
}

function fitsModulus11(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse()
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0)
  const check = (11 - (sum % 11)) % 11
  return text.at(-1) === (check === 10 ? '-' : String(check))
}
