/** Tries what an order may have, with non-executable orders that each add fields to the same order. */

import type { CountryRules } from '../../../../countries/country.ts'
import { countryRules } from '../../../../countries/served-countries.ts'
import type { Dialect } from '../dialect.ts'
import type { BankErrorDetail } from '../transport/order-errors.ts'
import { createAndDelete } from './delete-resource.ts'
import { describeAnswer, isConclusive, type ProbeAnswer, type Prober } from './prober.ts'

export type OrderBody = Readonly<Record<string, unknown>>

/** Whether the bank accepts fields. `unclear`: its answer is about something else. */
export type Trial = { readonly verdict: 'accepted' | 'rejected' | 'unclear'; readonly because: string }

/** The order that all others are compared with, and the answer to it. */
export type OrderTrials = {
  readonly order: OrderBody
  readonly base: ProbeAnswer
  /** Whether an unknown field is rejected: only then does the acceptance of a field prove that the bank has it. */
  readonly isStrict: boolean
  /** Sends the order with further fields. */
  attempt(fields: OrderBody): Promise<Trial>
}

/** No bank has a field of this name. */
const STRANGE_FIELD = { havnProbe: 'x' }
/** What a complaint about the debtor account mentions: it is the only thing that is wrong with every order here. */
const ABOUT_ACCOUNT = /debtor|account|iban|bban|check.?(digit|sum)|konto\b|kontonummer|tili(numero)?\b/i

/** Compares with an order, after finding out whether the bank rejects unknown fields. */
export async function openOrderTrials(
  prober: Prober,
  path: string,
  order: OrderBody,
  base: ProbeAnswer,
): Promise<OrderTrials> {
  const compare = async (fields: OrderBody, isStrict: boolean) =>
    compareAnswers(await createAndDelete(prober, path, { ...order, ...fields }), { base, fields, isStrict })
  const isStrict = (await compare(STRANGE_FIELD, false)).verdict === 'rejected'
  return { order, base, isStrict, attempt: (fields) => compare(fields, isStrict) }
}

/** Whether the bank has validated an order up to the account that cannot exist, or accepts even that. */
export function isValidated(base: ProbeAnswer): boolean {
  return base.status < 300 || (isConclusive(base) && base.errors.some(isAboutAccount))
}

/** Whether an error of the answer names a field. */
export function mentions({ errors }: Pick<ProbeAnswer, 'errors'>, name: string): boolean {
  return errors.some((error) => namesField(error, name))
}

/**
 * An error that names a field rejects it, and so does an error that the order without the field does not get. The same
 * error as before accepts it only where that error shows that the bank has validated the order.
 */
export function compareAnswers(
  answer: ProbeAnswer,
  { base, fields, isStrict }: { readonly base: ProbeAnswer; readonly fields: OrderBody; readonly isStrict: boolean },
): Trial {
  const names = Object.keys(fields)
  const complaint = answer.errors.find((error) => names.some((name) => namesField(error, name)))
  const known = new Set(base.errors.map(textOf))
  const fresh = answer.errors.find((error) => !known.has(textOf(error)))
  const isResolved = names.some((name) => mentions(base, name))
  if (!isConclusive(answer) || !isConclusive(base)) {
    return { verdict: 'unclear', because: describeAnswer(isConclusive(answer) ? base : answer) }
  }
  if (complaint !== undefined) {
    return { verdict: 'rejected', because: describeAnswer(answer, complaint) }
  }
  if (answer.status < 300 || isResolved) {
    return { verdict: 'accepted', because: describeAnswer(answer) }
  }
  if (fresh !== undefined && !(isAboutAccount(fresh) && !isValidated(base))) {
    return { verdict: 'rejected', because: describeAnswer(answer, fresh) }
  }
  if (base.status < 300 || answer.status !== base.status) {
    return { verdict: 'rejected', because: describeAnswer(answer) }
  }
  return isStrict || isValidated(answer)
    ? { verdict: 'accepted', because: describeAnswer(answer) }
    : { verdict: 'unclear', because: `every order gets ${describeAnswer(base)}` }
}

function isAboutAccount({ code, path, text }: BankErrorDetail): boolean {
  return ABOUT_ACCOUNT.test(`${code} ${path ?? ''} ${text ?? ''}`)
}

function namesField({ path, text }: BankErrorDetail, name: string): boolean {
  return new RegExp(`(?<![A-Za-z0-9])${name}(?![A-Za-z0-9])`, 'i').test(`${path ?? ''} ${text ?? ''}`)
}

/** Without what differs in every answer: ids and numbers. */
function textOf({ code, path, text }: BankErrorDetail): string {
  return `${code} ${path ?? ''} ${text ?? ''}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '#').replaceAll(/\d+/g, '#')
}

const DAYS_AHEAD = 7

/** An order with only the fields that every bank requires. */
export function nonExecutableOrder(
  countryCode: string,
  accounts: Dialect['accounts'],
  today: Temporal.PlainDate,
): Record<string, unknown> {
  const { currency, probeNumbers } = probedCountry(countryCode)
  return {
    debtorAccount: { [accounts]: probeNumbers.impossibleAccount[accounts] },
    instructedAmount: { currency, amount: '1.00' },
    creditorAccount: { [accounts]: probeNumbers.exampleAccount[accounts] },
    creditorName: 'Havn probe',
    requestedExecutionDate: today.add({ days: DAYS_AHEAD }).toString(),
  }
}

/** The rules of a country. Throws for countries that we do not serve. */
export function probedCountry(countryCode: string): CountryRules {
  const rules = countryRules(countryCode)
  if (rules === undefined) {
    throw new Error(`Banks of ${countryCode} cannot be probed: no account there is known to be impossible`)
  }
  return rules
}

/** The same as a bulk of one payment. */
export function nonExecutableBulk(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { debtorAccount, requestedExecutionDate, ...payment } = order
  return { debtorAccount, requestedExecutionDate, payments: [payment] }
}
