/** Tests that the sandbox's FX provider moves with the clock, receives payments, and simulates events. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HavnError } from '../../sdk/index.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../testing/fx/fx-provider-fixture.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { domesticPayment } from '../testing/payments/sample-payments.ts'

const PROVIDERS_ACCOUNT = { iban: 'NO3380590100009', bban: '80590100009' }

let stage: GatewayWithFx
let payer: PaymentDriver
beforeAll(async () => {
  stage = await startGatewayWithFx()
  payer = openPaymentDriver(stage.gateway)
  await payer.nextMorning()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.gateway.client.healSandboxBanks()
})

/** Pays the provider from a Norwegian account, and has the bank book it. */
async function payProvider(message: string): Promise<void> {
  const bank = nordicBank('FJORNO22')
  const { to, amount } = domesticPayment(stage.gateway)
  const { paymentId } = await payer.order(bank, {
    to: { ...to, account: { type: 'bban', bban: PROVIDERS_ACCOUNT.bban } },
    amount: { ...amount, amount: '100.00' },
    remittanceInformation: { type: 'message', value: message },
  })
  await payer.sign(bank, paymentId)
  await stage.gateway.client.stepSandboxPayment({ params: { paymentId, step: 'settle' }, body: {} })
}

async function arrivalsWith(reference: string): Promise<readonly { amount: string; senderName: string }[]> {
  const all = [await stage.fx.control('/arrivals')].flat().map((one) => Object(one))
  return all.filter((one) => one.reference === reference)
}

async function statusOf(work: Promise<unknown>): Promise<number | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof HavnError)) {
    throw new Error(`It did not fail as expected: ${String(error)}`)
  }
  return error.status
}

describe('a bank’s payment to an account of the FX provider', () => {
  test('arrives once, with reference and sender, while the clock stands still', async () => {
    await payProvider('HVN0000000001')
    await expect
      .poll(() => arrivalsWith('HVN0000000001'))
      .toEqual([expect.objectContaining({ amount: '100.00', senderName: 'Nordlys Handel AS', status: 'completed' })])
  })

  test('arrives although the provider was unavailable when it was sent', async () => {
    await stage.fx.stop()
    await payProvider('HVN0000000002')
    await stage.fx.restart()
    await stage.gateway.client.moveSandboxClock({ body: { advance: 'PT2M' } })
    expect(await arrivalsWith('HVN0000000002')).toHaveLength(1)
  })

  test.each([
    ['short', { effect: 'funding-short', amount: '0.50' }, 'HVN0000000003', ['99.50']],
    ['twice', { effect: 'funding-double' }, 'HVN0000000004', ['100.00', '100.00']],
    ['never', { effect: 'funding-lost' }, 'HVN0000000005', []],
  ] as const)('arrives %s when requested', async (_how, body, reference, amounts) => {
    await stage.gateway.client.disturbSandboxExchange({ body })
    await payProvider(reference)
    await stage.gateway.client.moveSandboxClock({ body: { advance: 'PT1S' } })
    expect((await arrivalsWith(reference)).map(({ amount }) => amount)).toEqual(amounts)
  })
})

describe('moving the clock', () => {
  test('moves the FX provider too, stops where something is due there, and goes back by reset', async () => {
    const { client } = stage.gateway
    await client.disturbSandboxExchange({ body: { effect: 'funding-late', seconds: 7_200 } })
    const sent = { iban: PROVIDERS_ACCOUNT.iban, amount: '5.00', reference: 'HVN0000000006' }
    const { arrived } = await client.addSandboxArrival({ body: sent })
    expect(arrived).toEqual([{ amount: '5.00', currency: 'NOK', status: 'pending' }])
    const { now } = await client.moveSandboxClock({ body: { advance: 'P1D' } })
    const clock = Object(await stage.fx.control('/clock'))
    expect(Temporal.Instant.from(clock.now).since(Temporal.Instant.from(now)).total('seconds')).toBeLessThan(60)
    const [arrival] = await arrivalsWith('HVN0000000006')
    expect(arrival).toMatchObject({ status: 'completed', dueAt: null })
  })
})

describe('the simulation steps', () => {
  test('clear their faults together with those of the banks', async () => {
    await stage.gateway.client.disturbSandboxExchange({ body: { effect: 'refuse-booking', times: 3 } })
    expect(await stage.fx.control('/faults')).toEqual([{ effect: 'refuse-booking', times: 3 }])
    await stage.gateway.client.healSandboxBanks()
    expect(await stage.fx.control('/faults')).toEqual([])
  })

  test('return the provider’s own error for what it cannot do', async () => {
    const { client } = stage.gateway
    const body = { iban: 'NO9386011117947', amount: '5.00' }
    await expect(client.addSandboxArrival({ body })).rejects.toThrow('The provider has no such account')
    const params = { paymentId: randomUUID(), step: 'return' } as const
    expect(await statusOf(client.stepSandboxPayout({ params, body: {} }))).toBe(404)
  })
})
