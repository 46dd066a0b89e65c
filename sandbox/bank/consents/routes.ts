/** The consent operations of XS2A. */

import { newId } from '../../../gateway/platform/ids.ts'
import { authorisationRoutes } from '../authorisations/routes.ts'
import {
  creationAnswer,
  type StartedAuthorisation,
  startImplicitAuthorisation,
} from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import { accountReference } from '../national/rules-by-country.ts'
import { requireKnownUser } from '../require-known-user.ts'
import { requestOriginColumns } from '../xs2a/request-origin.ts'
import {
  idParameterOf,
  requireUserPresent,
  route,
  type Xs2aAnswer,
  type Xs2aCall,
  type Xs2aRoute,
} from '../xs2a/xs2a-call.ts'
import { throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'
import { endConsent } from './authorise-consent.ts'
import { type Consent, modelOf } from './consent.ts'
import { lastDayOf, parseConsentRequest, requireListedAccounts, validateConsentRequest } from './consent-request.ts'
import { consentById, insertConsent, lockConsent, openedAccounts } from './consent-store.ts'

const ONE = '/consents/:consentId'

export function consentRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requireConsent(context, call)
  return [
    route('POST', '/consents', 'createConsent', async (call) =>
      created(context, call, await createConsent(context, call)),
    ),
    route('GET', ONE, 'getConsent', async (call) => await details(context, await find(call))),
    route('GET', `${ONE}/status`, 'getConsentStatus', async (call) => ({
      status: 200,
      body: { consentStatus: (await find(call)).status },
    })),
    route('DELETE', ONE, 'deleteConsent', async (call) => await end(context, await find(call))),
    ...authorisationRoutes(context, { subject: 'consent', path: ONE, find }),
  ]
}

async function requireConsent(context: Context, call: Xs2aCall): Promise<Consent> {
  const unknown = () => xs2aError(403, 'CONSENT_UNKNOWN', 'The bank knows no such consent')
  const consent = await consentById(context.database.query, call.bank.bic, idParameterOf(call, 'consentId', unknown))
  if (consent === undefined) {
    throw unknown()
  }
  return consent
}

function created(context: Context, call: Xs2aCall, { consent, started }: CreatedConsent): Xs2aAnswer {
  const body = { consentStatus: consent.status, consentId: consent.id }
  return creationAnswer(context, call, `/consents/${consent.id}`, { body, started })
}

async function details(context: Context, consent: Consent): Promise<Xs2aAnswer> {
  return {
    status: 200,
    body: {
      access: await grantedAccess(context, consent),
      recurringIndicator: consent.recurring,
      validUntil: consent.valid_until.toString(),
      frequencyPerDay: consent.frequency_per_day,
      lastActionDate: consent.last_action_on.toString(),
      consentStatus: consent.status,
    },
  }
}

/** The requested access; for an authorised bank-offered consent, the accounts that the bank added. */
async function grantedAccess(context: Context, consent: Consent): Promise<object> {
  if (modelOf(consent.access) !== 'bank-offered' || consent.status === 'received') {
    return consent.access
  }
  const opened = await openedAccounts(context.database.query, consent.id)
  const bank = requireBankByBic(context.fixture, consent.bank)
  const references = opened.flatMap(({ bban }) => {
    const account = accountOf(context.fixture, bank.bic, bban)
    return account === undefined ? [] : [accountReference(bank, account)]
  })
  return { accounts: references, balances: references, transactions: references }
}

/** Terminates a consent for its third party; one that has ended already is not changed. */
async function end(context: Context, found: Consent): Promise<Xs2aAnswer> {
  await context.database.query.transaction().execute(async (transaction) => {
    const consent = await lockConsent(transaction, found.id)
    if (consent?.status === 'received' || consent?.status === 'valid') {
      await endConsent(transaction, consent, 'terminatedByTpp')
    }
  })
  return { status: 204 }
}

type CreatedConsent = { readonly consent: Consent; readonly started: StartedAuthorisation | null }

/** Unless the third party requests explicit start, its authorisation is started at once. */
async function createConsent(context: Context, call: Xs2aCall): Promise<CreatedConsent> {
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
    return { consent, started: await startImplicitAuthorisation(context, transaction, requested, consent) }
  })
}

function requireUser(context: Context, { bank, headers }: Xs2aCall): void {
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  } else if (bank.psuIdRequired) {
    throw xs2aError(400, 'FORMAT_ERROR', 'PSU-ID is mandatory at this bank', 'PSU-ID')
  }
}
