/** Validates the account of a receiver abroad: IBAN or national account number, BIC and clearing code. */
import { withoutSeparators, withPlainSeparators } from '../../platform/copied-text.ts'
import { checkBic, checkBicOfIban } from '../bic.ts'
import { checkClearingCode, isClearingCodeType } from '../clearing-codes.ts'
import { type CheckResult, valid } from '../country.ts'
import { checkIban, checkIbanStructure } from '../iban.ts'
import { countryRules } from '../served-countries.ts'
import type { Destination, DestinationFault, Finding } from './destination.ts'
import { checkLocalAccount } from './local-account.ts'
import { type CountryRequirements, requirementsOf } from './requirements-table.ts'

const IBAN_START = /^[A-Z]{2}[0-9]{2}/

/** The given account number, and its field. */
type AccountIdentification = { readonly part: 'iban' | 'bban'; readonly text: string; readonly isIban: boolean }

/**
 * The country of the account: that of the IBAN, else of the BIC, else of the receiver. If IBAN and BIC contradict each
 * other, the receiver's country decides if it is one of the two.
 */
export function accountCountryOf(destination: Destination): string {
  const { account, address } = destination
  const identification = accountIdentificationOf(destination)
  const iban = identification?.isIban === true ? checkIbanStructure(identification.text) : undefined
  const ibanCountry = iban?.ok === true ? iban.iban.slice(0, 2) : undefined
  const bicCountry = bicCountryOf(account.bic)
  const receiverCountry = requirementsOf(address.country)?.iban?.slice(0, 2) ?? address.country
  return bicCountry === receiverCountry && iban?.ok === true && !checkBicOfIban(iban.iban, account.bic).ok
    ? bicCountry
    : (ibanCountry ?? bicCountry ?? address.country)
}

/** The country of a BIC; undefined if the BIC is invalid. */
export function bicCountryOf(bic: string): string | undefined {
  return checkBic(bic).ok ? bic.slice(4, 6) : undefined
}

/** `requirements` are those of the bank's country; without them, only the common rules apply. */
export function validateAccount(
  destination: Destination,
  requirements: CountryRequirements | undefined,
): readonly Finding[] {
  const identification = accountIdentificationOf(destination)
  const isIban = identification?.isIban === true
  return [
    ...(identification === undefined
      ? [{ part: 'bban', fault: { kind: 'account-missing' }, reason: 'is missing, and so is an IBAN' } as const]
      : validateAccountNumber(identification, destination, requirements)),
    ...validateBic(destination, isIban ? identification.text : undefined),
    ...(requirements === undefined ? [] : validateClearingCode(destination.account, requirements, isIban)),
  ]
}

/** An IBAN in the field `bban` counts as IBAN, unless the bank's country has no IBANs. */
export function accountIdentificationOf({ account }: Destination): AccountIdentification | undefined {
  const { iban = '', bban = '', bic } = account
  if (iban.trim() !== '') {
    return { part: 'iban', text: iban, isIban: true }
  }
  if (bban.trim() === '') {
    return undefined
  }
  const looksLikeIban = IBAN_START.test(withoutSeparators(bban).toUpperCase())
  const bankRequirements = requirementsOf(bicCountryOf(bic) ?? '')
  return {
    part: 'bban',
    text: bban,
    isIban: looksLikeIban && (bankRequirements === undefined || bankRequirements.iban !== undefined),
  }
}

function validateAccountNumber(
  { part, text, isIban }: AccountIdentification,
  { account }: Destination,
  requirements: CountryRequirements | undefined,
): readonly Finding[] {
  const fault = (kind: NumberFault, reason: string) => [{ part, fault: { kind }, reason }]
  if (isIban) {
    const checked = checkIban(text)
    const acceptsIban = requirements === undefined || requirements.iban !== undefined
    if (checked.ok && !acceptsIban) {
      return fault('iban-not-taken', `is an IBAN; accounts in ${requirements.name} have no IBAN`)
    }
    return outcome(checked, (reason) => fault('iban-malformed', reason), part)
  }
  if (requirements === undefined) {
    return []
  }
  const { name, country, local, iban } = requirements
  if (local !== undefined) {
    const checked = checkLocalAccount(text, local, account.clearingCode)
    return outcome(checked, (reason) => fault('account-malformed', `${reason}, as in ${local.example}`), part)
  }
  const nordic = nordicIbanOf(country, text)
  if (nordic !== undefined) {
    return outcome(nordic, () => [], part)
  }
  return fault('iban-missing', `is not an IBAN; payments to ${name} require an IBAN, as in ${iban ?? ''}`)
}

type NumberFault = Extract<
  DestinationFault['kind'],
  'iban-malformed' | 'iban-missing' | 'iban-not-taken' | 'account-malformed'
>

/**
 * The IBAN of a domestic Nordic number as it is written, because its separators may decide which number it is; undefined
 * if it is invalid or its IBAN is ambiguous.
 */
export function nordicIbanOf(
  country: string,
  written: string,
): Extract<CheckResult<'iban'>, { readonly ok: true }> | undefined {
  const rules = countryRules(country)
  const checked = rules?.checkAccountNumber(written)
  if (checked?.ok !== true) {
    return undefined
  }
  const iban = rules?.ibanOf(checked.bban)
  return iban === undefined ? undefined : valid({ iban }, checked.warning)
}

function validateBic({ account: { bic } }: Destination, iban: string | undefined): readonly Finding[] {
  const checked = checkBic(bic)
  if (!checked.ok) {
    return [{ part: 'bic', fault: { kind: 'bic-malformed' }, reason: checked.reason }]
  }
  if (iban === undefined || !checkIban(iban).ok) {
    return []
  }
  return outcome(
    checkBicOfIban(iban, bic),
    (reason) => [{ part: 'bic', fault: { kind: 'bic-mismatch' }, reason }],
    'bic',
  )
}

function outcome<Name extends string>(
  checked: CheckResult<Name>,
  toFindings: (reason: string) => readonly Finding[],
  part: 'iban' | 'bban' | 'bic',
): readonly Finding[] {
  if (!checked.ok) {
    return toFindings(checked.reason)
  }
  return checked.warning === undefined ? [] : [{ part, reason: checked.warning }]
}

type ClearingCode = NonNullable<CountryRequirements['clearingCode']>

/** With an IBAN, the clearing code is ignored, because the IBAN identifies the bank. */
function validateClearingCode(
  { clearingCode: givenCode = '' }: Destination['account'],
  { name, clearingCode: rule }: CountryRequirements,
  isIban: boolean,
): readonly Finding[] {
  if (rule === undefined || isIban) {
    return []
  }
  const part = 'clearingCode'
  if (givenCode.trim() === '') {
    const reason = `is missing: payments to ${name} require it (${rule.name}, as in ${rule.example})`
    return rule.required === 'never' ? [] : [{ part, fault: { kind: 'clearing-code-missing' }, reason }]
  }
  const checked = checkClearingCodeOf(givenCode, rule)
  const fault = { kind: 'clearing-code-malformed' } as const
  return checked.ok ? [] : [{ part, fault, reason: `${checked.reason}, as in ${rule.example}` }]
}

/** The code without separators, or why it is invalid. */
export function checkClearingCodeOf(
  givenCode: string,
  { scheme, name, pattern }: ClearingCode,
): CheckResult<'clearingCode'> {
  const text = withPlainSeparators(givenCode).replaceAll(' ', '')
  if (isClearingCodeType(scheme)) {
    return checkClearingCode(scheme, text)
  }
  return new RegExp(pattern).test(text)
    ? { ok: true, clearingCode: text.replaceAll('-', '') }
    : { ok: false, reason: `is not a clearing code: ${name}` }
}
