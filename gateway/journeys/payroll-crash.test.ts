/** Kills processes while a payroll is submitted as single payments: the next worker continues by itself, without duplicates. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'
import { movableClock } from '../platform/clock.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { type HavnProcesses, havnProcesses } from '../testing/gateway/havn-processes.ts'
import { acceptedConsent, CALLBACK } from '../testing/payments/sample-payments.ts'
import { BANKS_BY_SINGLE_MODE, samplePayroll } from '../testing/payrolls/payroll-submission-fixture.ts'

const CREDENTIALS = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret', environment: 'sandbox' } as const
const TEST_MILLISECONDS = 180_000
const COUNT = 12
/** So many orders of a payroll are in progress at once. */
const WITHHELD = 4

const bank = nordicBank(BANKS_BY_SINGLE_MODE.baskets)
const Held = Type.Array(Type.Object({ paymentId: Type.String(), requestId: Type.String(), amount: Type.String() }))

let havn: HavnProcesses
let client: HavnClient
beforeAll(async () => {
  havn = await havnProcesses({ HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '2' })
  await havn.start()
  client = createHavnClient({ baseUrl: havn.url, maxRetries: 0, ...CREDENTIALS })
}, TEST_MILLISECONDS)
afterAll(() => havn.close(), TEST_MILLISECONDS)

async function held(): Promise<Static<typeof Held>> {
  const answer: unknown = await (await fetch(`${havn.pagesUrl}/control/payments?bank=${bank.bic}`)).json()
  return Value.Parse(Held, Value.Clean(Held, answer))
}

async function injectFault(fault: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ bank: bank.bic, operation: 'initiatePayment', ...fault })
  expect((await fetch(`${havn.pagesUrl}/control/faults`, { method: 'POST', headers, body })).ok).toBe(true)
}

async function openTasks(): Promise<readonly string[]> {
  const { out } = await havn.type('tasks', 'list')
  return [...out.matchAll(/^(\S+)\s+UnknownOutcome\s+open/gm)].map(([, id = '']) => id)
}

/** What every list shows; the metrics cost less than a command. */
async function openTasksInMetrics(): Promise<number> {
  const metrics = await (await fetch(`${havn.url}/metrics`)).text()
  return Number(/^havn_operator_tasks_open\{kind="UnknownOutcome"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

/** Two operators look at the bank, and report what they saw. */
async function settle(task: string): Promise<void> {
  const { out } = await havn.type('tasks', 'show', task)
  const [, requestId = ''] = /bankRequestId: "([^"]+)"/.exec(out) ?? []
  const found = (await held()).find((order) => order.requestId === requestId)
  expect(found, out).toBeDefined()
  for (const who of ['Ingrid', 'Jonas']) {
    const words = ['tasks', 'resolve', task, '--as', who, '--taken', found?.paymentId ?? '']
    expect(await havn.type(...words)).toMatchObject({ code: 0 })
  }
}

test(
  'a payroll whose worker was killed is resumed by the next one, and approved once operators have resolved what was lost',
  async () => {
    const { organizationNumber, bic } = bank
    const consent = await acceptedConsent({ client }, bank.users[0], { bic, organizationNumber })
    const amounts = Array.from({ length: COUNT }, (_, n) => `${6000 + n}.35`)
    const body = samplePayroll({ context: { clock: movableClock() } }, bank, amounts, 'killed')
    await injectFault({ effect: 'withhold-answer', times: WITHHELD })
    const { payrollId } = await client.initiatePayroll({ ...consent, body })
    await eventually(async () => expect(await held()).toHaveLength(WITHHELD))
    await havn.killGateways()
    await eventually(async () => expect(await openTasksInMetrics()).toBe(WITHHELD))
    await eventually(async () => expect(await held()).toHaveLength(COUNT))

    const approve = () => client.approvePayrolls({ ...consent, body: { payrollId, callbackUrl: CALLBACK } })
    await eventually(async () => {
      expect(await approve().catch((error: unknown) => error)).toMatchObject({ status: 409 })
    })

    const tasks = await openTasks()
    expect(tasks).toHaveLength(WITHHELD)
    for (const task of tasks) {
      await settle(task)
    }
    const { status, sca } = await approve()
    expect({ status, type: sca?.type }).toEqual({ status: 'STARTED', type: 'redirect' })
    expect((await held()).map(({ amount }) => amount).toSorted()).toEqual(amounts)
    const { transactions } = await client.readPayrollStatus({ params: { payrollId } })
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(amounts.map(() => 'Unsigned'))
  },
  TEST_MILLISECONDS,
)
