/** Tests `havn trigger`: the sandbox produces the events that it lists, a type of each kind or in long runs all. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoCredentials } from '../../../../contract/examples/demo-fixture.ts'
import { EVENT_TYPES, type EventType, familyOf } from '../../../../contract/webhooks/event-types.ts'
import { CLOCK_MOVE_TIMES } from '../../../../gateway/simulation/clock-moves.ts'
import { type ExchangeFixture, startExchangeFixture } from '../../../../gateway/testing/fx/exchange-fixture.ts'
import { moveToHour } from '../../../../gateway/testing/fx/sample-exchange-orders.ts'
import { runHavnCommand } from '../../../../gateway/testing/gateway/havn-command.ts'
import {
  type IdentityProviderFixture,
  openIdentityProviderFixture,
} from '../../../../gateway/testing/identity/identity-provider-fixture.ts'
import { triggers } from './trigger.ts'

/** One of each kind of resource comes first: a payment, a payroll, … */
const FIRST: readonly EventType[] = [
  'PAYMENT_STATUS_UNSIGNED',
  'PAYROLL_TRANSACTION_STATUS_COMPLETED',
  'CONSENT_EXPIRED',
  'ONBOARDING_STATUS_CANCELLED',
  'EXCHANGE_UNDONE',
  'ACCOUNT_ENTRIES_BOOKED',
]
const TYPES = Number(process.env['HAVN_TRIGGERED_EVENT_TYPES'] ?? FIRST.length)
const IS_LONG = TYPES > FIRST.length
const POSSIBLE = EVENT_TYPES.filter((type) => !('reason' in triggers[type]))
const TRIED = [...new Set([...FIRST, ...POSSIBLE])].slice(0, TYPES)
const TIMEOUT_MILLISECONDS = 120_000
const SWEEP_EVERY_MILLISECONDS = 200
const { clientId, clientSecret } = demoCredentials
const CREDENTIALS = { HAVN_CLIENT_ID: clientId, HAVN_CLIENT_SECRET: clientSecret }

let identity: IdentityProviderFixture
let stage: ExchangeFixture
beforeAll(async () => {
  identity = await openIdentityProviderFixture()
  // As in a sandbox, a move that takes long answers before its end: a request ends after a minute.
  const clockAnswerMilliseconds = CLOCK_MOVE_TIMES.answerMilliseconds
  stage = await startExchangeFixture({ settings: identity.settings, clockAnswerMilliseconds })
})
afterAll(async () => {
  await stage.close()
  await identity.close()
})

/** Runs the command while due jobs run, as in a worker. */
async function trigger(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let isRunning = true
  const settings = { HAVN_URL: stage.gateway.url, ...CREDENTIALS, ...env }
  const ended = runHavnCommand(['trigger', ...words], settings).finally(() => {
    isRunning = false
  })
  while (isRunning) {
    await stage.gateway.sweep()
    await Promise.race([ended, setTimeout(SWEEP_EVERY_MILLISECONDS)])
  }
  return await ended
}

describe('havn trigger', { timeout: TIMEOUT_MILLISECONDS }, () => {
  it.each(TRIED)('%s is produced, delivered and verified', async (type) => {
    const { code, out, error } = await trigger([type, '--move-clock', '--json'])
    expect([code, error]).toEqual([0, ''])
    const { subject, event } = JSON.parse(out)
    expect(event).toMatchObject({ type, data: subject })
    expect(Object.values(subject)).toEqual([expect.stringMatching(/./)])
  })

  it('says what it does, and leaves neither its subscription nor its consent', async () => {
    const { code, out, error } = await trigger(['consent_accepted'])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^CONSENT_ACCEPTED was delivered, and verified\n {2}event \S+ {2}consentId \S+ {2}/),
    ])
    const [, consentId = ''] = /^Consent (\S+): success\n$/.exec(error) ?? []
    const { client } = stage.gateway
    expect(await client.getConsent({ consentId })).toMatchObject({ status: 'REVOKED' })
    expect((await client.listWebhookSubscriptions()).filter(({ enabled }) => enabled)).toEqual([])
  })

  it('produces a payroll on a Saturday, on which salaries cannot be due', async () => {
    await moveToHour(stage.gateway, '10:00', 'Saturday')
    expect(await trigger(['PAYROLL_STATUS_COMPLETED'])).toMatchObject({ code: 0 })
  })

  it.runIf(IS_LONG)('moves the clock to the next bank day only when it may move by more than a day', async () => {
    await moveToHour(stage.gateway, '10:00', 'Saturday')
    const before = stage.gateway.context.clock.now()
    const weekend = await trigger(['EXCHANGE_SIGNED'])
    expect([weekend.code, weekend.error]).toEqual([1, expect.stringContaining('--move-clock')])
    expect(stage.gateway.context.clock.now().since(before).total('hours')).toBeLessThan(24)
    const allowed = await trigger(['EXCHANGE_SIGNED', '--move-clock'])
    expect([allowed.code, allowed.error]).toEqual([0, expect.stringMatching(/^Moved the clock to /)])
  })

  it('lists every type: how it is produced, or why it cannot be', async () => {
    const listed = (await trigger(['--json'])).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(listed.map(({ type, family }) => [type, family])).toEqual(EVENT_TYPES.map((type) => [type, familyOf(type)]))
    expect(listed.filter(({ isPossible }) => !isPossible)).toEqual([
      expect.objectContaining({ type: 'EXCHANGE_REFUNDED', reason: expect.stringContaining('havn deal refunded') }),
    ])
    expect((await trigger([])).out).toContain('CONSENT_EXPIRING\n  creates a consent at Havbanken, and moves')
  })

  it.each([
    [['PAYMENTS'], {}, 1, 'There is no event type "PAYMENTS"\nNext: havn trigger lists all types'],
    [['CONSENT'], {}, 1, 'CONSENT is a family of event types: choose CONSENT_ACCEPTED, '],
    [['EXCHANGE_REFUNDED'], {}, 1, 'EXCHANGE_REFUNDED cannot be triggered: an operator refunds the payer'],
    [['CONSENT_EXPIRING'], {}, 1, 'by about twelve weeks, for all that is in it; only a reset moves it back'],
    [['CONSENT_ACCEPTED'], { HAVN_URL: 'http://127.0.0.1:1' }, 5, 'The gateway cannot be reached'],
    [['CONSENT_ACCEPTED'], { HAVN_CLIENT_SECRET: 'wrong' }, 3, 'The gateway rejected the credentials'],
    [['CONSENT_ACCEPTED'], { HAVN_ENVIRONMENT: 'production' }, 1, 'havn trigger works in a sandbox only'],
  ])('%j with %j: an error that says what to do', async (words, env, exitCode, message) => {
    const { code, error } = await trigger(words, env)
    expect([code, error]).toEqual([exitCode, expect.stringContaining(message)])
  })

  it('asks for the demo partner where another one does not act for the demo company', async () => {
    const { credentials } = await stage.gateway.otherPartner({ withCompany: false })
    const env = { HAVN_CLIENT_ID: credentials.clientId, HAVN_CLIENT_SECRET: credentials.clientSecret }
    const { code, error } = await trigger(['PAYMENT_STATUS_COMPLETED'], env)
    expect([code, error]).toEqual([1, expect.stringContaining('Next: havn login with the credentials of the demo')])
  })
})
