/** Property tests of consents: random events end in the state of bank and partner, in spite of crashes. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsentStatus } from '../../contract/consents.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/ids.ts'
import { runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { type ConsentBank, openConsentBank } from '../testing/banks/consent-bank.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptConsent } from './accept-consent.ts'
import { callBank } from './call-bank.ts'
import { type Consent, consentActorOf, consentTransitions, hasEnded } from './consent.ts'
import { findConsent, insertConsent } from './consent-store.ts'
import { consentSweeps } from './jobs.ts'
import { revokeConsent } from './revoke-consent.ts'
import { storeConsentTokens } from './tokens/consent-tokens.ts'

const LIVES = Number(process.env['HAVN_CONSENT_LIVES'] ?? 10)
const VALID_DAYS = 20
const ORGANISATION = '987654325'
const ACTS = [
  'ask',
  'accept',
  'accept and crash while storing it',
  'accept without a notification',
  'accept again',
  'partner revokes',
  'user ends',
  'bank ends',
  'bank deletes',
  'use',
  'days pass',
  'sweep',
  'bank becomes unavailable',
  'bank becomes available',
] as const
type Act = (typeof ACTS)[number]

/** Each kind of end occurs, whatever the seed: a consent that is replaced, and one that its partner revokes. */
const EACH_END = (
  [
    ['ask', 'accept'],
    ['partner revokes', 'sweep'],
  ] as const
).map((acts): [{ act: Act; which: number; user: number }[]] => [
  acts.map((act) => ({ act, which: act === 'accept' ? 1 : 0, user: 0 })),
])

/** What happened to a consent, in addition to the bank's state. */
type Known = { readonly id: string; readonly user: string; status: ConsentStatus; byPartner: boolean; byUser: boolean }

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const { rows } = await query<{ id: string }>("select id from partners where name = 'Demo partner'")
  partnerId = rows[0]?.id ?? ''
})
afterAll(() => gateway.close())

async function query<Row extends object>(text: string, values: readonly unknown[] = []) {
  return await gateway.context.database.pool.query<Row>(text, [...values])
}

test(
  'random sequences of consent events end in the same state at the bank and at the partner',
  async () => {
    const step = fc.record({ act: fc.constantFrom(...ACTS), which: fc.nat({ max: 3 }), user: fc.nat({ max: 1 }) })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const life = await begin()
        await life.act('ask', 0, 0)
        await life.act('accept', 0, 0)
        for (const { act, which, user } of steps) {
          await life.act(act, which, user)
          await life.requireSoundMoves()
        }
        for (const state of await life.end()) {
          seen.add(state)
        }
      }),
      { numRuns: LIVES, examples: EACH_END },
    )
    expect(seen).toContain('ACCEPTED')
    expect(seen).toContain('REVOKED PARTNER')
    expect(seen).toContain('REVOKED REPLACED_BY_NEW_CONSENT')
  },
  LIVES * 1_000 + 90_000,
)

async function begin() {
  await query('delete from consents')
  await query('delete from bank_tokens')
  await query('delete from unattended_reads')
  let aheadMilliseconds = 0
  const { clock, banks } = gateway.context
  const now = () => clock.now().add({ milliseconds: aheadMilliseconds })
  const bank = openConsentBank(now)
  const context: Context = {
    ...gateway.context,
    clock: { ...clock, now, today: (zone) => now().toZonedDateTimeISO(zone).toPlainDate() },
    banks: { ...banks, connectorOf: () => bank.connector },
  }
  const known: Known[] = []
  const sweep = () => runSweepsUntilIdle(consentSweeps(context, async () => false))
  const act = async (what: Act, which: number, user: number) => {
    const one = known[which % Math.max(known.length, 1)]
    if (what === 'ask') {
      known.push(await ask(context, bank, `user ${user}`))
    } else if (what === 'days pass') {
      aheadMilliseconds += (which * 3 + 1) * 86_400_000
    } else if (what === 'sweep') {
      await sweep()
    } else if (what === 'bank becomes unavailable' || what === 'bank becomes available') {
      bank.silent = what === 'bank becomes unavailable'
    } else if (one !== undefined) {
      await actOn(context, bank, one, what)
    }
  }
  return {
    act,
    requireSoundMoves: () => requireSoundMoves(context, known),
    end: async () => {
      bank.silent = false
      aheadMilliseconds += 2 * 86_400_000
      await sweep()
      await requireSoundMoves(context, known)
      return await requireTruth(context, bank, known, now())
    },
  }
}

async function ask(context: Context, bank: ConsentBank, user: string): Promise<Known> {
  const id = newId()
  const createdAt = context.clock.now()
  const validUntil = createdAt.add({ hours: VALID_DAYS * 24 })
  const consent: Consent = {
    ...{ partnerId, id, companyId: id, bic: 'FJORNO22', bankBranch: null, countryCode: 'NO' },
    ...{ organisationNumber: ORGANISATION, status: 'AUTHORIZATION_REQUIRED', statusReason: null },
    ...{ userId: user, userIdMasked: null, bankConsentId: id, callbackUrl: 'http://127.0.0.1:9/back' },
    ...{ validUntil, createdAt, updatedAt: createdAt, excludedAccounts: 0 },
  }
  await insertConsent(context, consent)
  bank.ask({ id, user, validUntil })
  const server = { metadata: 'https://bank.example', issuer: 'https://bank.example' }
  const tokens = { accessToken: id, refreshToken: id, expiresAt: context.clock.real().add({ hours: 1 }), server }
  await storeConsentTokens(context, { partnerId, id }, tokens)
  return { id, user, status: 'AUTHORIZATION_REQUIRED', byPartner: false, byUser: false }
}

async function actOn(context: Context, bank: ConsentBank, one: Known, what: Act): Promise<void> {
  const consent = await found(context, one.id)
  switch (what) {
    case 'accept':
      bank.accept(one.id)
      return await settled(acceptConsent(context, consent))
    case 'accept again':
      return await settled(acceptConsent(context, consent))
    case 'accept without a notification':
      bank.accept(one.id)
      return
    case 'accept and crash while storing it':
      bank.accept(one.id)
      return await settled(acceptConsent(dying(context), consent))
    case 'partner revokes':
      one.byPartner ||= consent.status === 'ACCEPTED'
      return void (await revokeConsent(context, consentActorOf({ ...CALLER, partnerId, consent })))
    case 'user ends':
      one.byUser ||= bank.end(one.id, 'revoked-by-user')
      return
    case 'bank ends':
    case 'bank deletes':
      bank.end(one.id, what === 'bank ends' ? 'revoked' : 'deleted')
      return
    case 'use':
      return await settled(useUnder(context, consent, () => use(bank, one.id)))
    default:
      throw new Error(`${what} is done to no consent`)
  }
}

const CALLER = { partnerName: '', callbackOrigins: [], clientId: 'life', psu: null }

/** The bank's rejection is one of the events. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof BankError) && !(error instanceof Died)) {
      throw error
    }
  })
}

class Died extends Error {}

/** A process that crashes when it would store the bank's response. */
function dying(context: Context): Context {
  const query = new Proxy(context.database.query, {
    get: (target, name) => {
      if (name === 'transaction') {
        throw new Died('The process died')
      }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...context, database: { ...context.database, query } }
}

async function useUnder(context: Context, consent: Consent, work: () => Promise<void>): Promise<void> {
  const bank = (await context.banks.find(consent.bic)) ?? expect.fail('The bank is not there')
  await callBank(context, { bank, consent, service: 'AIS', psu: null }, work)
}

async function use(bank: ConsentBank, id: string): Promise<void> {
  if (bank.silent) {
    throw new BankError('unavailable', 'The bank is away')
  }
  if (bank.stateOf(id) !== 'valid') {
    throw new BankError('consent-invalid', 'The bank does not accept the consent')
  }
}

async function found(context: Context, id: string): Promise<Consent> {
  return (await findConsent(context, { partnerId, id })) ?? expect.fail('The consent is not there')
}

/** Each status follows from the previous one, by the table, in at most as many transitions as have happened since. */
async function requireSoundMoves(context: Context, known: readonly Known[]): Promise<void> {
  for (const one of known) {
    const { status } = await found(context, one.id)
    const next = consentTransitions[one.status]
    const reachable = [one.status, ...next, ...next.flatMap((between) => consentTransitions[between])]
    expect(reachable).toContain(status)
    one.status = status
  }
}

/** The expected state of the consents once everything due was processed. Returns how each ended. */
async function requireTruth(
  context: Context,
  bank: ConsentBank,
  known: readonly Known[],
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const consents = await Promise.all(known.map(async (one) => ({ one, consent: await found(context, one.id) })))
  const inForce = consents.filter(({ consent }) => consent.status === 'ACCEPTED')
  expect(new Set(inForce.map(({ one }) => one.user)).size).toBe(inForce.length)
  for (const { one, consent } of consents) {
    const truth = bank.stateOf(one.id)
    const { status, statusReason } = consent
    if (status === 'ACCEPTED') {
      expect(truth).toBe('valid')
      expect(Temporal.Instant.compare(consent.validUntil, now)).toBeGreaterThan(0)
    }
    if (status === 'REVOKED' || status === 'EXPIRED') {
      expect(truth).not.toBe('valid')
    }
    expect([statusReason !== 'PARTNER' || one.byPartner, statusReason !== 'USER' || one.byUser]).toEqual([true, true])
    const { rows } = await query('select from bank_token_subjects where subject_id = $1', [one.id])
    expect(rows.length).toBe(hasEnded(consent) ? 0 : 1)
  }
  return consents.map(({ consent: { status, statusReason } }) => `${status} ${statusReason ?? ''}`.trim())
}
