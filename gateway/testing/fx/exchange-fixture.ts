/** Sets up payments with exchange: a gateway with an FX provider, a company with NOK accounts and a USD supplier. */
import type { CrossBorderInitiated } from '../../../contract/payments/cross-border-operations.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Payment } from '../../../contract/payments/payment-response.ts'
import { checkLedger } from '../../fx/ledger/ledger.ts'
import { type NordicBank, nordicBanks } from '../banks/nordic-banks.ts'
import { passTime } from '../gateway/pass-time.ts'
import type { TestGateway, TestGatewayOptions } from '../gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../payments/sample-cross-border-payments.ts'
import { type FxProviderFixture, startGatewayWithFx } from './fx-provider-fixture.ts'

export type ExchangeFixture = {
  readonly gateway: TestGateway
  readonly fx: FxProviderFixture
  readonly payer: PaymentDriver
  readonly bank: NordicBank
  /** A payment in dollars from the main account, with a unique endToEndId. */
  invoice(changes?: Partial<CrossBorderPayment>): CrossBorderPayment
  /** Initiates a payment as the user. */
  order(changes?: Partial<CrossBorderPayment>): Promise<CrossBorderInitiated>
  /** Lets business time pass in one step in the gateway, at the bank and at the provider. */
  pass(duration: string): Promise<void>
  /** Lets days pass, each in one step: for what happens once a day or less. */
  passDays(days: number): Promise<void>
  detailOf(paymentId: string): Promise<Payment>
  /** The state of a payment's deal; undefined when there is none. */
  dealOf(paymentId: string): Promise<string | undefined>
  countOf(table: 'payments' | 'fx_deals'): Promise<number>
  /** Closes everything. Throws when the ledger does not balance. */
  close(): Promise<void>
}

/** Starts everything on the morning of a bank day. */
export async function startExchangeFixture(options: TestGatewayOptions = {}): Promise<ExchangeFixture> {
  const { gateway, fx, close } = await startGatewayWithFx(options)
  const payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  // The provider gets the time of the gateway.
  await passTime(gateway, 'PT1S')
  const bank = nordicBanks.find(({ bic }) => bic === 'FJORNO22')
  if (bank === undefined) {
    throw new Error('The bank is not there')
  }
  const { client, context } = gateway
  const invoice = (changes: Partial<CrossBorderPayment> = {}) =>
    crossBorderPayment(
      gateway,
      bank,
      { bban: bank.main, currency: bank.currency },
      {
        to: dollarSupplier,
        amount: { amount: '1000.00', currency: 'USD' },
        ...changes,
      },
    )
  return {
    gateway,
    fx,
    payer,
    bank,
    invoice,
    order: async (changes) =>
      await client.initiateCrossBorderPayment({ ...(await payer.consentOf(bank)), body: invoice(changes) }),
    pass: (duration) => passTime(gateway, duration),
    passDays: async (days) => {
      for (let day = 0; day < days; day += 1) {
        await passTime(gateway, 'P1D')
      }
    },
    detailOf: (paymentId) => client.getPayment({ params: { paymentId } }),
    dealOf: async (paymentId) => {
      const { rows } = await context.database.pool.query<{ state: string }>(
        'select state from fx_deals where payment_id = $1',
        [paymentId],
      )
      return rows[0]?.state
    },
    countOf: async (table) => {
      const { rows } = await context.database.pool.query<{ count: string }>(`select count(*) from ${table}`)
      return Number(rows[0]?.count)
    },
    close: async () => {
      const findings = await checkLedger(context.database)
      await close()
      if (findings.length > 0) {
        throw new Error(`The ledger does not balance: ${JSON.stringify(findings)}`)
      }
    },
  }
}
