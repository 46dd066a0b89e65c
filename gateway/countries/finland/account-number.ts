/** Validates Finnish account numbers: the fourteen digits of the IBAN, the last a modulus 10 check digit. */
import nordicBanks from '../../../data/nordic-banks.json' with { type: 'json' }
import { withPlainSeparators } from '../../platform/copied-text.ts'
import { bankCodeTable } from '../bank-codes.ts'
import { ibanCheckDigits, passesModulus10, passesModulus97 } from '../check-digits.ts'
import { type AccountBank, type CheckResult, invalid, valid } from '../country.ts'
import { ibanWithoutSeparators } from '../separators.ts'

const DIGITS = 14
/** The first digits are those of the bank. */
const BANK_PREFIX_DIGITS = 3
const bankOfPrefix = bankCodeTable(nordicBanks.FI)
/** The digits of a printed IBAN. */
const GROUPS_OF_FOUR = /^([0-9]{4} ){3}[0-9]{2}$/
/** The format before IBANs: six digits of the office, two to eight of the account. */
const PRINTED = /^([0-9]{6})-([0-9]{2,8})$/

/**
 * Accepts an IBAN, its fourteen digits, or the old format `123456-785`; normalised to fourteen digits, or to the IBAN
 * where the check digit inside it is wrong, so that only the check digits of the IBAN prove the number.
 */
export function checkFinnishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  if (!/^FI/i.test(written)) {
    return checkDigits(GROUPS_OF_FOUR.test(written) ? written.replaceAll(' ', '') : fromPrinted(written))
  }
  const iban = ibanWithoutSeparators(text) ?? ''
  const isIban = /^FI[0-9]{16}$/.test(iban) && passesModulus97(iban)
  return isIban
    ? checkDigitsOfIban(iban.slice(4))
    : invalid('is not a Finnish IBAN: FI and 16 digits that pass modulus 97')
}

/** Checks the fourteen digits of an IBAN that passes modulus 97. Some institutions issue such with a wrong inner digit. */
export function checkDigitsOfIban(digits: string): CheckResult<'bban'> {
  return passesModulus10(digits) || digits.length !== DIGITS
    ? checkDigits(digits)
    : valid(
        { bban: ibanOfFinnishAccount(digits) },
        'is an IBAN whose inner check digit is wrong (modulus 10), as those of some institutions',
      )
}

/** The IBAN of a normalised number. */
export function ibanOfFinnishAccount(bban: string): string {
  return bban.startsWith('FI') ? bban : `FI${ibanCheckDigits('FI', bban)}${bban}`
}

/** The prefix that identifies the bank. */
export function finnishBankCodeOf(bban: string): string {
  return bban.replace(/^FI../, '').slice(0, BANK_PREFIX_DIGITS)
}

/** The bank of the prefix. */
export function bankOfFinnishAccount(bban: string): AccountBank | undefined {
  return bankOfPrefix(finnishBankCodeOf(bban))
}

function checkDigits(bban: string): CheckResult<'bban'> {
  if (!/^[0-9]+$/.test(bban)) {
    return invalid('must be an IBAN, 14 digits, or written as 123456-785')
  }
  if (bban.length !== DIGITS) {
    return invalid(`has ${bban.length} digits; without FI a Finnish one has ${DIGITS}`)
  }
  if (!passesModulus10(bban)) {
    return invalid('has a wrong check digit (modulus 10); if it is that of an IBAN, send the IBAN')
  }
  if (/^0+$/.test(bban)) {
    return invalid('has only zeros')
  }
  const warning = `begins with ${bban.slice(0, BANK_PREFIX_DIGITS)}, which is not in our table of Finnish banks`
  return valid({ bban }, bankOfFinnishAccount(bban) === undefined ? warning : undefined)
}

/** Pads the old format: after the seventh digit for banks 4, 5 and 6, otherwise after the sixth. */
function fromPrinted(written: string): string {
  const [, office, account] = PRINTED.exec(written) ?? []
  if (office === undefined || account === undefined) {
    return written
  }
  const before = /^[456]/.test(office) ? account.slice(0, 1) : ''
  return office + before + account.slice(before.length).padStart(DIGITS - office.length - before.length, '0')
}
