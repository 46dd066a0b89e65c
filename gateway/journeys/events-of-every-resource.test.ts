/** Journey: what a partner changes or what happens to it arrives as an event at the subscriptions that ask for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventFamily } from '../../contract/webhooks/event-types.ts'
import { eventFamilies, familyOf } from '../../contract/webhooks/event-types.ts'
import type { WebhookSelection } from '../../contract/webhooks/webhook-subscriptions.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type ExchangeFixture, startExchangeFixture } from '../testing/fx/exchange-fixture.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import {
  type IdentityProviderFixture,
  openIdentityProviderFixture,
} from '../testing/identity/identity-provider-fixture.ts'
import { acceptedConsent, CALLBACK, MAIN_ACCOUNT, OLA, PSU } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../testing/payrolls/payroll-fixture.ts'
import { webhookViolations } from '../testing/webhooks/documented-webhook.ts'
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../testing/webhooks/webhook-receiver.ts'

const TIMEOUT_MILLISECONDS = 120_000
const FAMILIES = Object.keys(eventFamilies) as EventFamily[]

type Delivered = {
  readonly id: string
  readonly type: string
  readonly occurredAt: string
  readonly data: Readonly<Record<string, unknown>>
}

let receiver: WebhookReceiver
let identity: IdentityProviderFixture
let stage: ExchangeFixture
let secret: string
beforeAll(async () => {
  receiver = await startWebhookReceiver({ plainHttp: true })
  identity = await openIdentityProviderFixture()
  const webhooks = { HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', HAVN_WEBHOOK_HTTP: '1' }
  stage = await startExchangeFixture({ settings: { ...webhooks, ...identity.settings } })
  secret = (await subscribe('/all', FAMILIES)).signingSecret
  await subscribe('/payments', ['PAYMENT_STATUS'])
  await subscribe('/rejected', ['PAYROLL_TRANSACTION_STATUS_REJECTED', 'CONSENT_EXPIRING'])
}, TIMEOUT_MILLISECONDS)
afterAll(async () => {
  await stage.close()
  await identity.close()
  await receiver.close()
})

const client = () => stage.gateway.client
const subscribe = (path: string, eventTypes: WebhookSelection[]) =>
  client().createWebhookSubscription({ body: { targetUrl: `${receiver.origin}${path}`, eventTypes } })

const deliveredTo = (path: string) =>
  receiver.received.filter((each) => each.path === path).map(({ body }): Delivered => JSON.parse(body.toString()))

/** The events about a subject, in the order of arrival. */
async function eventsAbout(subject: Readonly<Record<string, unknown>>, path = '/all'): Promise<readonly Delivered[]> {
  await stage.gateway.sweep()
  return deliveredTo(path).filter(({ data }) => Object.entries(subject).every(([name, value]) => data[name] === value))
}

const typesOf = (events: readonly Delivered[]) => events.map(({ type }) => type)

describe('events arrive', { timeout: TIMEOUT_MILLISECONDS }, () => {
  test('when a consent is accepted, expires soon, once, and ends', async () => {
    const { consentId } = await acceptedConsent(stage.gateway, OLA)
    const [accepted] = await eventsAbout({ consentId })
    const consent = await client().getConsent({ consentId })
    const { validUntil } = consent
    expect(accepted).toMatchObject({
      type: 'CONSENT_ACCEPTED',
      data: { consentId, previousStatus: 'AUTHORIZATION_REQUIRED', status: 'ACCEPTED', statusReason: null, validUntil },
    })
    const days = (before: number) => Temporal.Instant.from(validUntil).subtract({ hours: 24 * before })
    await passUntil(stage.gateway, days(7.5))
    expect(typesOf(await eventsAbout({ consentId }))).toEqual(['CONSENT_ACCEPTED'])
    await passUntil(stage.gateway, days(6))
    await passUntil(stage.gateway, days(1))
    // A check that is repeated, as after a crash, does not repeat the event.
    const dueAgain = "update consents set due_at = valid_until - interval '2 days' where id = $1"
    await stage.gateway.context.database.pool.query(dueAgain, [consentId])
    const unchanged = { previousStatus: null, status: 'ACCEPTED', statusReason: null, validUntil }
    expect(await eventsAbout({ consentId }, '/rejected')).toMatchObject([{ type: 'CONSENT_EXPIRING', data: unchanged }])
    await passTime(stage.gateway, 'PT48H')
    const types = typesOf(await eventsAbout({ consentId }))
    expect(types).toEqual(['CONSENT_ACCEPTED', 'CONSENT_EXPIRING', 'CONSENT_EXPIRED'])
    const revoked = await acceptedConsent(stage.gateway, OLA)
    await client().revokeConsent({ ...revoked })
    const [, ended] = await eventsAbout({ consentId: revoked.consentId })
    expect(ended).toMatchObject({
      type: 'CONSENT_REVOKED',
      data: { previousStatus: 'ACCEPTED', statusReason: 'PARTNER' },
    })
  })

  test('when a consent is not accepted', async () => {
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: OLA, callbackUrl: CALLBACK }
    const { id: consentId } = await client().createConsent({ psu: PSU, body })
    await client().decideSandboxConsent({ params: { consentId, decision: 'reject' }, body: {} })
    expect(typesOf(await eventsAbout({ consentId }))).toEqual(['CONSENT_REJECTED'])
  })

  test('when an onboarding moves on', async () => {
    const { id: onboardingId } = await client().startOnboarding({
      body: { country: 'NO', organizationNumber: '987654414' },
    })
    await client().stepSandboxOnboarding({ params: { onboardingId, step: 'fill' }, body: {} })
    await client().stepSandboxOnboarding({ params: { onboardingId, step: 'sign' }, body: {} })
    const { status } = await client().getOnboardingStatus({ params: { id: onboardingId } })
    const events = await eventsAbout({ onboardingId })
    expect(events[0]).toMatchObject({
      type: 'ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION',
      data: { previousStatus: 'Created', status: 'AwaitingCustomerAction', statusReason: null },
    })
    expect(events.at(-1)?.data).toMatchObject({ previousStatus: 'AwaitingCustomerAction', status })
  })

  test('when an account is read and has entries that it did not have before', async () => {
    const consented = await stage.payer.consentOf(stage.bank)
    const { accounts } = await client().listAccounts(consented)
    const { id: accountId, stableId } = accounts.find(({ bban }) => bban === MAIN_ACCOUNT) ?? { id: '', stableId: '' }
    const today = stage.gateway.context.clock.today('Europe/Oslo')
    const query = { fromDate: today.subtract({ days: 200 }).toString(), toDate: today.toString() }
    const read = () => client().listAccountEntries({ ...consented, params: { accountId }, query })
    await read()
    const before = await eventsAbout({ accountStableId: stableId })
    await read()
    expect(await eventsAbout({ accountStableId: stableId })).toEqual(before)
    for (const amounts of [['100.00', '100.00'], ['100.00']]) {
      for (const amount of amounts) {
        await client().addSandboxEntry({ params: { bban: MAIN_ACCOUNT }, body: { amount, counterparty: 'Granli' } })
      }
      await read()
    }
    const added = (await eventsAbout({ accountStableId: stableId })).slice(before.length)
    const { consentId } = consented
    const period = { fromDate: today.toString(), toDate: today.toString() }
    const data = { accountStableId: stableId, consentId, ...period }
    expect(added.map((event) => [event.type, event.data])).toEqual(
      [2, 1].map((newEntries) => ['ACCOUNT_ENTRIES_BOOKED', { ...data, newEntries }]),
    )
  })

  test('when the steps of an exchange are done, and when its approval ends', async () => {
    const { payer, bank, order } = stage
    await payer.nextMorning()
    const [signed, unsigned] = [await order(), await order()]
    await payer.sign(bank, signed.paymentId)
    await stage.pass('PT5M')
    const stepsOf = async (paymentId: string) =>
      (await eventsAbout({ paymentId })).filter(({ type }) => familyOf(type) === 'EXCHANGE')
    const { paymentId } = signed
    const { funding } = await stage.detailOf(paymentId)
    const data = { paymentId, referenceCode: funding?.referenceCode, step: 'Signed' }
    const [first, ...next] = await stepsOf(paymentId)
    expect(first).toMatchObject({ type: 'EXCHANGE_SIGNED', data })
    expect(typesOf(next)).toEqual(['EXCHANGE_FUNDED', 'EXCHANGE_PAYOUT_ORDERED'])
    expect(typesOf(await stepsOf(unsigned.paymentId))).toEqual(['EXCHANGE_UNDOING', 'EXCHANGE_UNDONE'])
    const approved = { subject: 'payments', previousStatus: 'STARTED', status: 'ACCEPTED' }
    expect(await eventsAbout(approved)).toMatchObject([{ type: 'APPROVAL_STATUS_ACCEPTED' }])
  })

  test('when a payroll and its transactions change, without names, accounts and amounts', async () => {
    const payrolls = openPayrollFixture(stage.gateway)
    const bank = nordicBank(PAYROLL_BANKS.bulk)
    const ordered = payrolls.payroll(bank, 6, { dueDate: stage.gateway.context.clock.today('Europe/Oslo').toString() })
    const transactions = ordered.transactions.map((transaction, n) => {
      // By the sandbox's table of outcomes the first is rejected.
      return { ...transaction, amount: { ...transaction.amount, amount: n === 0 ? '7703.00' : `${n + 10}.00` } }
    })
    const { payrollId } = await payrolls.order(bank, { ...ordered, transactions })
    expect(await eventsAbout({ payrollId })).toEqual([])
    await payrolls.sign(bank, [payrollId])
    await passUntil(stage.gateway, Temporal.Instant.from(`${ordered.dueDate}T22:00:00Z`))
    const events = await eventsAbout({ payrollId })
    const statuses = events.filter(({ type }) => familyOf(type) === 'PAYROLL_STATUS').map(({ data }) => data)
    expect(statuses[0]).toEqual({ payrollId, previousStatus: 'Unsigned', status: 'InProgress' })
    expect(statuses.at(-1)).toEqual({ payrollId, previousStatus: 'InProgress', status: 'Completed' })
    const changed = events.filter(({ type }) => familyOf(type) === 'PAYROLL_TRANSACTION_STATUS')
    const finalByPosition = changed.flatMap(({ data }) =>
      [data['transactions']].flat().map((each) => [Object(each).position, data['status']] as const),
    )
    const reported = await payrolls.statusOf(payrollId)
    const expected = reported.transactions.map(({ payrollStatus }, position) => [position, payrollStatus])
    expect([...new Map(finalByPosition)].toSorted(([one], [other]) => one - other)).toEqual(expected)
    expect(changed.every(({ data }) => [data['transactions']].flat().length <= 100)).toBe(true)
    const rejected = await eventsAbout({ payrollId }, '/rejected')
    expect(rejected.map(({ data }) => data['status'])).toEqual(['Rejected'])
    const bodies = JSON.stringify(events)
    const secrets = transactions.flatMap(({ name, account, amount, metadata }) => [
      ...[name, account.bban, metadata.endToEndId, amount.amount],
    ])
    expect(secrets.filter((text) => bodies.includes(`"${text}"`))).toEqual([])
    const approved = { subject: 'payrolls', status: 'ACCEPTED' }
    expect(await eventsAbout(approved)).toMatchObject([{ type: 'APPROVAL_STATUS_ACCEPTED' }])
  })
})

// The tests above have filled the receiver.
describe('of all these events', () => {
  test('each delivery is as documented, and signed', () => {
    const webhookByFamily: Readonly<Record<EventFamily, string>> = {
      PAYMENT_STATUS: 'paymentStatus',
      PAYROLL_STATUS: 'payrollStatus',
      PAYROLL_TRANSACTION_STATUS: 'payrollTransactionStatus',
      APPROVAL_STATUS: 'approvalStatus',
      CONSENT: 'consent',
      ONBOARDING_STATUS: 'onboardingStatus',
      EXCHANGE: 'exchange',
      ACCOUNT_ENTRIES: 'accountEntries',
    }
    const all = receiver.received.filter(({ path }) => path === '/all')
    const families = new Set(deliveredTo('/all').map(({ type }) => familyOf(type)))
    expect([...families].toSorted()).toEqual(FAMILIES.toSorted())
    const violations = all.flatMap((received) => {
      const { type } = JSON.parse(received.body.toString())
      return webhookViolations(webhookByFamily[familyOf(type)], received)
    })
    expect(violations).toEqual([])
    expect(all.filter((received) => !isSignedWith(secret, received))).toEqual([])
  })

  test('those about one subject arrive in order, each once', () => {
    const all = deliveredTo('/all')
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const subjectOf = ({ type, data }: Delivered) =>
      `${familyOf(type)} ${Object.values(data).find((value) => value !== null)}`
    for (const events of Map.groupBy(all, subjectOf).values()) {
      const times = events.map(({ occurredAt }) => occurredAt)
      expect(new Set(times).size).toBe(times.length)
      expect(times).toEqual(times.toSorted())
    }
  })

  test('a subscription to payments gets none of the others', () => {
    const families = deliveredTo('/payments').map(({ type }) => familyOf(type))
    expect([...new Set(families)]).toEqual(['PAYMENT_STATUS'])
  })

  test('the list has those about payments by default, one family, or all', async () => {
    // Older events may have been deleted.
    const retainedFrom = stage.gateway.context.clock
      .now()
      .subtract({ hours: 24 * 29 })
      .toString()
    const isRetained = ({ occurredAt }: Pick<Delivered, 'occurredAt'>) => occurredAt > retainedFrom
    const typesIn = async (family?: EventFamily | 'ALL') => {
      const { events } = await client().listWebhookEvents({ query: { limit: 500, ...(family && { family }) } })
      return events.filter(isRetained).map(({ type }) => type)
    }
    const delivered = typesOf(deliveredTo('/all').filter(isRetained))
    expect((await typesIn('ALL')).toSorted()).toEqual(delivered.toSorted())
    expect((await typesIn('CONSENT')).every((type) => familyOf(type) === 'CONSENT')).toBe(true)
    expect((await typesIn()).every((type) => familyOf(type) === 'PAYMENT_STATUS')).toBe(true)
    const { nextAfter } = await client().listWebhookEvents({ query: { limit: 500 } })
    expect(await client().listWebhookEvents({ query: { after: nextAfter, family: 'ALL' } })).toMatchObject({
      events: [],
    })
  })
})
