/** The shape of a request for a consent, and the checks beyond its form. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { businessDay, parseDay } from '../bank-calendar.ts'
import type { BankProfile, World } from '../fixture.ts'
import { formatProblem, type RefusalMessage, Xs2aRefusal } from '../refusal.ts'
import { formProblems } from '../schema-errors.ts'
import { accountNamed, maySee } from '../world.ts'
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

/** Reads a body; refuses with every problem of its form at once. */
export function readConsentRequest(body: unknown): ConsentRequest {
  if (requestCheck.Check(body)) {
    return body
  }
  throw new Xs2aRefusal(400, formProblems(requestCheck.Errors(body)))
}

/** Finds what is wrong with a request for a user: dates, frequency, accounts that are not the user's. */
export function problemsOfConsent(
  bank: BankProfile,
  request: ConsentRequest,
  now: Temporal.Instant,
): readonly RefusalMessage[] {
  const today = businessDay(bank, now)
  const until = parseDay(request.validUntil)
  const problems: RefusalMessage[] = []
  if (until === undefined || Temporal.PlainDate.compare(until, today) < 0) {
    problems.push(formatProblem('validUntil', 'The last day is a date YYYY-MM-DD, today or later'))
  }
  if (!request.recurringIndicator && request.frequencyPerDay !== 1) {
    problems.push(formatProblem('frequencyPerDay', 'A one-off consent is read once'))
  }
  if (modelOf(request.access) === 'global' && listedReferences(request.access).length > 0) {
    problems.push(formatProblem('access', 'Access is either listed or global, not both'))
  }
  if (!bank.consent.models.includes(modelOf(request.access))) {
    const text = `The bank does not offer ${modelOf(request.access)} consents`
    problems.push({ code: 'SERVICE_INVALID', text, path: 'access' })
  }
  return problems
}

/** Refuses listed accounts that the user does not see at this bank. */
export function requireListedAccounts(world: World, bank: BankProfile, userId: string, access: ConsentAccess): void {
  const unknown = listedReferences(access).filter(({ reference }) => {
    const account = accountNamed(world, bank, reference)
    return account === undefined || !maySee(world, userId, account)
  })
  if (unknown.length > 0) {
    const text = 'The user has no such account at this bank'
    throw new Xs2aRefusal(
      400,
      unknown.map(({ path }) => ({ code: 'RESOURCE_UNKNOWN', text, path })),
    )
  }
}

/** The last day of a consent: the one asked for, or the furthest that the bank allows. */
export function lastDayOf(bank: BankProfile, request: ConsentRequest, now: Temporal.Instant): Temporal.PlainDate {
  const furthest = businessDay(bank, now).add({ days: bank.consent.daysMax })
  const asked = parseDay(request.validUntil) ?? furthest
  return Temporal.PlainDate.compare(asked, furthest) > 0 ? furthest : asked
}
