/** Creates a consent, which is stored until the user authorises it. */
import { newId } from '../../../gateway/platform/ids.ts'
import { isStartedImplicitly } from '../authorisations/sca-approach.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankContext } from '../bank-context.ts'
import { requireKnownUser } from '../require-known-user.ts'
import { requestOriginColumns } from '../xs2a/request-origin.ts'
import { requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'
import type { Consent } from './consent.ts'
import { lastDayOf, parseConsentRequest, requireListedAccounts, validateConsentRequest } from './consent-request.ts'
import { insertConsent } from './consent-store.ts'

export type CreatedConsent = { readonly consent: Consent; readonly started: StartedAuthorisation | null }

/** Unless the third party requests explicit start, its authorisation is started at once. */
export async function createConsent(context: BankContext, call: Xs2aCall): Promise<CreatedConsent> {
  const { bank, headers } = call
  const now = context.clock.now()
  requireUserPresent(call)
  const request = parseConsentRequest(call.body)
  throwIfAnyMessage(validateConsentRequest(bank, request, now))
  requireUser(context, call)
  if (headers.psuId !== null) {
    requireListedAccounts(context.fixture, bank, headers.psuId, request.access)
  }
  const lastDay = lastDayOf(bank, request, now)
  return await context.database.query.transaction().execute(async (transaction) => {
    const consent = await insertConsent(transaction, {
      id: newId(),
      bank: bank.bic,
      ...requestOriginColumns(call),
      access: JSON.stringify(request.access),
      recurring: request.recurringIndicator,
      valid_until: lastDay.toString(),
      frequency_per_day: request.frequencyPerDay,
      status: 'received',
      last_action_on: businessDay(bank, now).toString(),
      created_at: now.toString(),
      due_at: endOfDay(bank, lastDay).toString(),
    })
    const requested = { bank, subject: 'consent', headers, targetPath: `/consents/${consent.id}` } as const
    const started = isStartedImplicitly(bank, headers)
      ? await startAuthorisation(context, transaction, requested, consent)
      : null
    return { consent, started }
  })
}

function requireUser(context: BankContext, { bank, headers }: Xs2aCall): void {
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  } else if (bank.psuIdRequired) {
    throw xs2aError(400, 'FORMAT_ERROR', 'PSU-ID is mandatory at this bank', 'PSU-ID')
  }
}
