/** The schema of a consent request, and its validation beyond the schema. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { businessDay, parseDay } from '../bank-calendar.ts'
import type { BankFixture, BankProfile } from '../fixture.ts'
import { accountOfReference, maySee } from '../fixture-lookup.ts'
import { formatErrorMessage, schemaErrorMessages, Xs2aError, type Xs2aErrorMessage } from '../xs2a-error.ts'
import { type ConsentAccess, listedReferences, modelOf } from './consent.ts'

const Reference = Type.Object({
  bban: Type.Optional(Type.String({ pattern: '^[a-zA-Z0-9]{1,30}$' })),
  iban: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})
const References = Type.Array(Reference)
const Everything = Type.Union([Type.Literal('allAccounts'), Type.Literal('allAccountsWithOwnerName')])

const ConsentRequest = Type.Object({
  access: Type.Object({
    accounts: Type.Optional(References),
    balances: Type.Optional(References),
    transactions: Type.Optional(References),
    availableAccounts: Type.Optional(Everything),
    availableAccountsWithBalance: Type.Optional(Everything),
    allPsd2: Type.Optional(Everything),
  }),
  recurringIndicator: Type.Boolean(),
  validUntil: Type.String(),
  frequencyPerDay: Type.Integer({ minimum: 1 }),
  combinedServiceIndicator: Type.Boolean(),
})
export type ConsentRequest = Static<typeof ConsentRequest>

const requestCheck = Compile(ConsentRequest)

/** Parses a body; throws all schema errors at once. */
export function parseConsentRequest(body: unknown): ConsentRequest {
  if (requestCheck.Check(body)) {
    return body
  }
  throw new Xs2aError(400, schemaErrorMessages(requestCheck.Errors(body)))
}

/** Validates a request for a user: dates, frequency, and access to the listed accounts. */
export function validateConsentRequest(
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
export function requireListedAccounts(
  fixture: BankFixture,
  bank: BankProfile,
  userId: string,
  access: ConsentAccess,
): void {
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
export function lastDayOf(bank: BankProfile, request: ConsentRequest, now: Temporal.Instant): Temporal.PlainDate {
  const furthest = businessDay(bank, now).add({ days: bank.consent.daysMax })
  const requested = parseDay(request.validUntil) ?? furthest
  return Temporal.PlainDate.compare(requested, furthest) > 0 ? furthest : requested
}
