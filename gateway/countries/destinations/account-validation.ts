/** Judges the account of a receiver abroad: IBAN or the country's own number, BIC and clearing code. */
import { checkBic, checkBicOfIban } from '../bic.ts'
import type { Checked } from '../country.ts'
import { checkIban, checkIbanStructure } from '../iban.ts'
import { withoutSeparators } from '../separators.ts'
import { countryRules } from '../served-countries.ts'
import { judgeClearingCode } from './clearing-code-validation.ts'
import { type CountryRequirements, requirementsOf } from './country-requirements.ts'
import {
  type Destination,
  type DestinationFault,
  doubtful,
  type Findings,
  NOTHING_FOUND,
  together,
  wrong,
} from './destination.ts'
import { checkLocalAccount } from './local-account.ts'

const IBAN_START = /^[A-Z]{2}[0-9]{2}/

/** The account as it was named, and the field that names it. */
type Named = { readonly part: 'iban' | 'bban'; readonly text: string; readonly isIban: boolean }

/**
 * The country that keeps the account: that of the IBAN, else that of the BIC, else where the receiver is. Where IBAN and
 * BIC contradict each other, the receiver's country decides if it is one of the two.
 */
export function accountCountryOf(destination: Destination): string {
  const { account, address } = destination
  const named = nameOf(destination)
  const iban = named?.isIban === true ? checkIbanStructure(named.text) : undefined
  const ofIban = iban?.ok === true ? iban.iban.slice(0, 2) : undefined
  const ofBic = bicCountryOf(account.bic)
  const ofReceiver = requirementsOf(address.country)?.iban?.slice(0, 2) ?? address.country
  return ofBic === ofReceiver && iban?.ok === true && !checkBicOfIban(iban.iban, account.bic).ok
    ? ofBic
    : (ofIban ?? ofBic ?? address.country)
}

/** The country of a BIC; undefined where it is none. */
export function bicCountryOf(bic: string): string | undefined {
  return checkBic(bic).ok ? bic.slice(4, 6) : undefined
}

/** `requirements` are those of the country of the bank; without them only what holds everywhere is judged. */
export function judgeAccount(destination: Destination, requirements: CountryRequirements | undefined): Findings {
  const named = nameOf(destination)
  const isIban = named?.isIban === true
  return together([
    named === undefined
      ? wrong({ part: 'bban', fault: { kind: 'account-missing' }, reason: 'is missing, and so is an IBAN' })
      : judgeNumber(named, destination, requirements),
    judgeBic(destination, isIban ? named.text : undefined),
    requirements === undefined ? NOTHING_FOUND : judgeClearingCode(destination.account, requirements, isIban),
  ])
}

/** An IBAN in the field of the other number counts as one, unless the bank is in a country that has none. */
export function nameOf({ account }: Destination): Named | undefined {
  const { iban = '', bban = '', bic } = account
  if (iban.trim() !== '') {
    return { part: 'iban', text: iban, isIban: true }
  }
  if (bban.trim() === '') {
    return undefined
  }
  const looksSo = IBAN_START.test(withoutSeparators(bban).toUpperCase())
  const ofBank = requirementsOf(bicCountryOf(bic) ?? '')
  return { part: 'bban', text: bban, isIban: looksSo && (ofBank === undefined || ofBank.iban !== undefined) }
}

function judgeNumber(
  { part, text, isIban }: Named,
  { account }: Destination,
  requirements: CountryRequirements | undefined,
): Findings {
  const found = (kind: NumberFault, reason: string) => wrong({ part, fault: { kind }, reason })
  if (isIban) {
    const checked = checkIban(text)
    const isTaken = requirements === undefined || requirements.iban !== undefined
    if (checked.ok && !isTaken) {
      return found('iban-not-taken', `is an IBAN; accounts in ${requirements.name} have none`)
    }
    return outcome(checked, (reason) => found('iban-malformed', reason), part)
  }
  if (requirements === undefined) {
    return NOTHING_FOUND
  }
  const { name, country, local, iban } = requirements
  if (local !== undefined) {
    const checked = checkLocalAccount(text, local, account.clearingCode)
    return outcome(checked, (reason) => found('account-malformed', `${reason}, as in ${local.example}`), part)
  }
  if (nordicIbanOf(country, text) !== undefined) {
    return NOTHING_FOUND
  }
  return found('iban-missing', `is not an IBAN; accounts in ${name} are paid by IBAN, as in ${iban ?? ''}`)
}

type NumberFault = Extract<
  DestinationFault['kind'],
  'iban-malformed' | 'iban-missing' | 'iban-not-taken' | 'account-malformed'
>

/** The IBAN that follows from a domestic number; undefined where it is none, or has no IBAN that is certain. */
export function nordicIbanOf(country: string, text: string): string | undefined {
  const rules = countryRules(country)
  const checked = rules?.checkAccountNumber(text)
  return checked?.ok === true ? rules?.ibanOf(checked.bban) : undefined
}

function judgeBic({ account: { bic } }: Destination, iban: string | undefined): Findings {
  const checked = checkBic(bic)
  if (!checked.ok) {
    return wrong({ part: 'bic', fault: { kind: 'bic-malformed' }, reason: checked.reason })
  }
  if (iban === undefined || !checkIban(iban).ok) {
    return NOTHING_FOUND
  }
  return outcome(
    checkBicOfIban(iban, bic),
    (reason) => wrong({ part: 'bic', fault: { kind: 'bic-mismatch' }, reason }),
    'bic',
  )
}

function outcome<Name extends string>(
  checked: Checked<Name>,
  refused: (reason: string) => Findings,
  part: 'iban' | 'bban' | 'bic',
): Findings {
  if (!checked.ok) {
    return refused(checked.reason)
  }
  return checked.warning === undefined ? NOTHING_FOUND : doubtful({ part, reason: checked.warning })
}
