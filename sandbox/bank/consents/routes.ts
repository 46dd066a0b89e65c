/** The consent operations of XS2A. */

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseDay } from '../../../gateway/platform/clock.ts'
import { newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import { authorisationRoutes } from '../authorisations/routes.ts'
import { creationAnswer, startImplicitAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay, endOfDay } from '../bank-calendar.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankFixture, BankProfile } from '../fixture.ts'
import { accountOf, accountOfReference, maySee, requireBankByBic } from '../fixture-lookup.ts'
import { accountReference } from '../national/rules-by-country.ts'
import { requireKnownUser } from '../require-known-user.ts'
import {
  idParameterOf,
  ok,
  requestOriginColumns,
  requireUserPresent,
  route,
  type Xs2aAnswer,
  type Xs2aCall,
  type Xs2aRoute,
} from '../xs2a/xs2a-call.ts'
import {
  formatErrorMessage,
  requireBody,
  throwIfAnyMessage,
  Xs2aError,
  type Xs2aErrorMessage,
  xs2aError,
} from '../xs2a-error.ts'
import { ACCESS_LISTS, type Consent, ConsentAccess, hasEqualLists, listedReferences, modelOf } from './consent.ts'
import { consentById, openedAccounts } from './consent-store.ts'

const ONE = '/consents/:consentId'

export function consentRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requireConsent(context, call)
  return [
    route('POST', '/consents', 'createConsent', async (call) => await createConsent(context, call)),
    route('GET', ONE, 'getConsent', async (call) => await details(context, await find(call))),
    route('GET', `${ONE}/status`, 'getConsentStatus', async (call) => ok({ consentStatus: (await find(call)).status })),
    route('DELETE', ONE, 'deleteConsent', async (call) => await end(context, await find(call))),
    ...authorisationRoutes(context, { subject: 'consent', path: ONE, find }),
  ]
}

async function requireConsent(context: Context, call: Xs2aCall): Promise<Consent> {
  const unknown = () => xs2aError(403, 'CONSENT_UNKNOWN', 'The bank knows no such consent')
  const consent = await consentById(context, call.bank.bic, idParameterOf(call, 'consentId', unknown))
  if (consent === undefined) {
    throw unknown()
  }
  return consent
}

async function details(context: Context, consent: Consent): Promise<Xs2aAnswer> {
  return ok({
    access: await grantedAccess(context, consent),
    recurringIndicator: consent.recurring,
    validUntil: consent.valid_until.toString(),
    frequencyPerDay: consent.frequency_per_day,
    lastActionDate: consent.last_action_on.toString(),
    consentStatus: consent.status,
  })
}

/** The requested access; for an authorised bank-offered consent, the accounts that the bank added. */
async function grantedAccess(context: Context, consent: Consent): Promise<object> {
  if (modelOf(consent.access) !== 'bank-offered' || consent.status === 'received') {
    return consent.access
  }
  const opened = await openedAccounts(context, consent.id)
  const bank = requireBankByBic(context.fixture, consent.bank)
  const references = opened.flatMap(({ bban }) => {
    const account = accountOf(context.fixture, bank.bic, bban)
    return account === undefined ? [] : [accountReference(bank, account)]
  })
  const lists = ['accounts', ...ACCESS_LISTS.filter((list) => consent.access[list] !== undefined)]
  return Object.fromEntries(lists.map((list) => [list, references]))
}

/** Terminates a consent for its third party, which is not notified of that; one that has ended already is not changed. */
async function end(context: Context, found: Consent): Promise<Xs2aAnswer> {
  await inTransaction(context, async (context) => {
    const consent = await findRow(context, 'consents', { id: found.id }, { lock: true })
    if (consent?.status === 'received' || consent?.status === 'valid') {
      await updateRow(context, 'consents', consent, { status: 'terminatedByTpp', due_at: null })
    }
  })
  return { status: 204 }
}

/** Unless the third party requests explicit start, its authorisation is started at once. */
async function createConsent(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const { bank, headers } = call
  const now = context.clock.now()
  requireUserPresent(call)
  const request = requireBody(requestCheck, call.body)
  throwIfAnyMessage(validateConsentRequest(bank, request, now))
  requireKnownUser(context, call)
  if (headers.psuId === null && bank.psuIdRequired) {
    throw xs2aError(400, 'FORMAT_ERROR', 'PSU-ID is mandatory at this bank', 'PSU-ID')
  }
  if (headers.psuId !== null) {
    requireListedAccounts(context.fixture, bank, headers.psuId, request.access)
  }
  const lastDay = lastDayOf(bank, request, now)
  return await inTransaction(context, async (context) => {
    const consent = await insertRow(context, 'consents', {
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
    const path = `/consents/${consent.id}`
    const started = await startImplicitAuthorisation(context, call, {
      subject: 'consent',
      path,
      resource: consent,
    })
    const body = { consentStatus: consent.status, consentId: consent.id }
    return creationAnswer(context, call, path, { body, started })
  })
}

/** More than any user can be read. */
const FREQUENCY_MAX = 1_000_000
const ConsentRequest = Type.Object({
  access: ConsentAccess,
  recurringIndicator: Type.Boolean(),
  validUntil: Type.String(),
  frequencyPerDay: Type.Integer({ minimum: 1, maximum: FREQUENCY_MAX }),
  combinedServiceIndicator: Type.Boolean(),
})
type ConsentRequest = Static<typeof ConsentRequest>

const requestCheck = Compile(ConsentRequest)

/** Validates a request for a user: dates, frequency, and access to the listed accounts. */
function validateConsentRequest(
  bank: BankProfile,
  request: ConsentRequest,
  now: Temporal.Instant,
): readonly Xs2aErrorMessage[] {
  const today = businessDay(bank, now)
  const until = parseDay(request.validUntil)
  const validationErrors: Xs2aErrorMessage[] = []
  if (until === undefined || Temporal.PlainDate.compare(until, today) < 0) {
    validationErrors.push(formatErrorMessage('validUntil', 'The last day is a date YYYY-MM-DD, today or later'))
  }
  if (!request.recurringIndicator && request.frequencyPerDay !== 1) {
    validationErrors.push(formatErrorMessage('frequencyPerDay', 'A one-off consent permits one read'))
  }
  if (request.combinedServiceIndicator) {
    const text = 'The bank combines no payments with a consent in one session'
    validationErrors.push({ code: 'SESSIONS_NOT_SUPPORTED', text, path: 'combinedServiceIndicator' })
  }
  if (!hasEqualLists(request.access)) {
    const text = 'Access is a global form, or lists, of which all are empty or none is'
    validationErrors.push(formatErrorMessage('access', text))
  }
  if (modelOf(request.access) === 'global' && listedReferences(request.access).length > 0) {
    validationErrors.push(formatErrorMessage('access', 'Access is either listed or global, not both'))
  }
  if (!bank.consent.models.includes(modelOf(request.access))) {
    const text = `The bank does not offer ${modelOf(request.access)} consents`
    validationErrors.push({ code: 'SERVICE_INVALID', text, path: 'access' })
  }
  return validationErrors
}

/** Rejects listed accounts that the user cannot access at this bank. */
function requireListedAccounts(fixture: BankFixture, bank: BankProfile, userId: string, access: ConsentAccess): void {
  const unknown = listedReferences(access).filter(({ reference }) => {
    const account = accountOfReference(fixture, bank, reference)
    return account === undefined || !maySee(fixture, userId, account)
  })
  if (unknown.length > 0) {
    const text = 'The user has no such account at this bank'
    throw new Xs2aError(
      400,
      unknown.map(({ path }) => ({ code: 'RESOURCE_UNKNOWN', text, path })),
    )
  }
}

/** The last day of a consent: the requested one, limited to the bank's maximum. */
function lastDayOf(bank: BankProfile, request: ConsentRequest, now: Temporal.Instant): Temporal.PlainDate {
  const furthest = businessDay(bank, now).add({ days: bank.consent.daysMax })
  const requested = parseDay(request.validUntil) ?? furthest
  return Temporal.PlainDate.compare(requested, furthest) > 0 ? furthest : requested
}
