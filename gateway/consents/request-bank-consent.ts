/** Asks a bank for a consent: at once, or where its users sign in first, after that. */

import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { invalid } from '../platform/http/errors/api-error.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { newBankRequestId } from '../platform/ids.ts'
import { callerAtBank } from './caller-at-bank.ts'
import type { Consent } from './consent.ts'
import { keepBankConsent } from './consent-store.ts'

/** The consent as the bank holds it, accepted by nobody yet. Throws the bank's refusal. */
export async function askBank(
  context: Context,
  { bank, consent, psu }: { readonly bank: Bank; readonly consent: Consent; readonly psu: PsuSession | null },
): Promise<Consent> {
  const { consents } = context.banks.connectorOf(bank)
  const caller = await callerAtBank(context, { bank, consent, psu })
  const { bankConsentId, validUntil } = await consents
    .create(caller, { requestId: newBankRequestId(), validUntil: lastDayAsked(context, bank) })
    .catch((error: unknown) => {
      throw refusalOfUser(error)
    })
  return { ...consent, bankConsentId, validUntil: endOfDay(validUntil, bank) }
}

/** A consent that its bank holds; one whose user has only signed in is asked for now, and kept. */
export async function atBankOrAsked(
  context: Context,
  asking: { readonly bank: Bank; readonly consent: Consent; readonly psu: PsuSession | null },
): Promise<Consent> {
  if (asking.consent.bankConsentId !== null) {
    return asking.consent
  }
  const asked = await askBank(context, asking)
  await keepBankConsent(context, asked)
  return asked
}

/** As long as the bank gives at most, by its own word or by its profile. */
export function longestUntil(context: Context, bank: Bank): Temporal.Instant {
  return endOfDay(lastDayAsked(context, bank), bank)
}

/** The day that the user and the bank speak of: the consent ends with it. */
export function lastDay(end: Temporal.Instant, { profile }: Bank): Temporal.PlainDate {
  return end.subtract({ milliseconds: 1 }).toZonedDateTimeISO(profile.timeZone).toPlainDate()
}

function lastDayAsked({ clock }: Context, { profile }: Bank): Temporal.PlainDate {
  return clock.today(profile.timeZone).add({ days: profile.maxConsentValidityDays })
}

/** Banks give a consent until the end of a day of theirs. */
function endOfDay(day: Temporal.PlainDate, { profile }: Bank): Temporal.Instant {
  return day.add({ days: 1 }).toZonedDateTime(profile.timeZone).toInstant()
}

/** There is no consent yet that a bank could refuse: what it does not accept then is the user. */
function refusalOfUser(error: unknown): unknown {
  return error instanceof BankRefusal && error.kind === 'consent-invalid'
    ? invalid('.userId', `The bank does not accept it: ${error.message}`)
    : error
}
