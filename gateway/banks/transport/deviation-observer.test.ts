/** Shows that what a bank's answers deviate in is counted each time, and logged with field and reason, without values. */
import { expect, test } from 'vitest'
import { openMetrics } from '../../platform/observability/metrics.ts'
import type { AnswerDeviation } from '../connector/connector-dependencies.ts'
import { berlinGroup } from '../standards/berlin-group/connector.ts'
import { connectorTools } from '../testing/connector-tools.ts'
import { sampleCaller, sampleOrder, sampleSubmittedOrder } from '../testing/samples.ts'
import { createDeviationObserver } from './deviation-observer.ts'

const DAMAGED: AnswerDeviation = { path: 'accounts[3].currency', reason: 'is null', effect: 'dropped' }

test('a deviation is counted each time and logged once an hour, whatever its index', async () => {
  const { observe, logged, metrics, wait } = observer()
  const answer = { bank: 'FJORNO22', operation: 'getAccounts' }
  observe(answer, [DAMAGED, { ...DAMAGED, path: 'accounts[4].currency' }])
  observe(answer, [DAMAGED])
  const line = { ...answer, field: 'accounts[].currency', reason: 'is null', effect: 'dropped' }
  expect(logged).toEqual([line])
  wait({ minutes: 61 })
  observe(answer, [DAMAGED])
  observe({ ...answer, bank: 'LIMFDK22' }, [DAMAGED])
  expect(logged).toEqual([line, line, { ...line, bank: 'LIMFDK22' }])
  expect((await metrics.bankAnswerDeviations.get()).values).toMatchObject([
    { value: 4, labels: { ...answer, effect: 'dropped' } },
    { value: 1, labels: { ...answer, bank: 'LIMFDK22', effect: 'dropped' } },
  ])
})

const TERMS = { requestId: 'r', validUntil: Temporal.PlainDate.from('2027-05-20') }
const REQUEST = { requestId: 'r', notification: 'https://havn.example/n' }

test.each([
  ['initiatePayment', { transactionStatus: 'RCVD' }, 'paymentId', 'unreadable'],
  ['initiatePayment', { transactionStatus: 'WHAT', paymentId: 'p1' }, 'transactionStatus', 'unknown-status'],
  ['initiatePayment', { transactionStatus: 7, paymentId: 'p1' }, 'transactionStatus', 'ignored'],
  ['getPaymentStatus', { transactionStatus: 'XYZZ' }, 'transactionStatus', 'unknown-status'],
  ['getPaymentStatus', { transactionStatus: 'Ola 01815012345' }, 'transactionStatus', 'unknown-status'],
  ['getConsent', { consentStatus: 'undecided' }, 'consentStatus', 'unknown-status'],
  ['getAccounts', { accounts: 'none 80501100017' }, 'accounts', 'unreadable'],
  [
    'getAccounts',
    { accounts: [{ resourceId: 'r' }, { resourceId: 's', currency: 'NOK' }] },
    'accounts[].currency',
    'dropped',
  ],
  ['getAccounts', { accounts: [{ resourceId: 'r', name: 5 }] }, 'accounts[].currency', 'unreadable'],
  ['createConsent', { consentId: 'c', validUntil: [] }, 'validUntil', 'ignored'],
])('at %s, %j leaves a line about %s: %s', async (operation, body, field, effect) => {
  const { observe, logged } = observer()
  const fetch = async () => ({ status: 200, headers: {}, body: JSON.stringify(body) })
  const connector = berlinGroup(connectorTools({ fetch, observeDeviations: observe }))
  const caller = sampleCaller()
  const call: Record<string, () => Promise<unknown> | undefined> = {
    initiatePayment: () => connector.domesticPayments?.initiate(caller, sampleOrder(), REQUEST),
    getPaymentStatus: () => connector.domesticPayments?.read(caller, sampleSubmittedOrder(), { signed: false }),
    getConsent: () => connector.consents?.read(caller, 'c1'),
    createConsent: () => connector.consents?.create(caller, TERMS),
    getAccounts: () => connector.accounts?.list(caller),
  }
  await call[operation]?.()?.catch(() => undefined)
  expect(logged).toContainEqual({ bank: 'FJORNO22', operation, field, effect, reason: expect.any(String) })
  expect(JSON.stringify(logged)).not.toMatch(/01815012345|80501100017/)
})

test.each(['RCVD', 'PATC', 'ACSC', 'RJCT'])('at an order, the status %s leaves no line', async (transactionStatus) => {
  const { observe, logged } = observer()
  const body = JSON.stringify({ transactionStatus, paymentId: 'p1', psuMessage: null, _links: {} })
  const fetch = async () => ({ status: 200, headers: {}, body })
  const connector = berlinGroup(connectorTools({ fetch, observeDeviations: observe }))
  await connector.domesticPayments?.initiate(sampleCaller(), sampleOrder(), REQUEST)
  expect(logged).toEqual([])
})

function observer() {
  const logged: unknown[] = []
  const write = (fields: unknown) => void logged.push(fields)
  const metrics = openMetrics({ processMetrics: false })
  let time = Temporal.Instant.from('2026-11-21T12:00Z')
  const observe = createDeviationObserver({ log: { warn: write, info: write }, metrics, now: () => time })
  const wait = (duration: Temporal.DurationLike) => {
    time = time.add(duration)
  }
  return { observe, logged, metrics, wait }
}
