/** Drives payments at sandbox banks as a partner and its users: consent, initiation, SCA and settlement. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { PaymentStatus } from '../../../contract/payments/payment-status.ts'
import { isFinalStatus } from '../../orders/payment.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { visitBank } from '../browser/bank-user.ts'
import { passTime, passUntil } from '../gateway/pass-time.ts'
import { isBankMorning, nextBankMorning } from '../gateway/start-on-bank-day.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from './sample-payments.ts'

const HALF_DAYS_MAX = 14

type Consented = Awaited<ReturnType<typeof acceptedConsent>>

/** Operations; the default user is the one who initiates payments. */
export type PaymentDriver = {
  /** Lets time pass until a morning on which all banks are open, unless it is one: no cut-off has passed. */
  nextMorning(): Promise<Temporal.PlainDate>
  /** The user's consent; created once. */
  consentOf(bank: NordicBank, userId?: string): Promise<Consented>
  /** Initiates a payment to the supplier, with changes. */
  order(bank: NordicBank, changes?: Partial<DomesticPayment>, userId?: string): Promise<PaymentInitiated>
  /** Approves and signs; returns the status. */
  sign(bank: NordicBank, paymentId: string, userId?: string): Promise<PaymentStatus>
  /** Lets half days pass until all of these have a final status. Throws when one has none after a week. */
  passUntilFinal(paymentIds: Iterable<string>): Promise<void>
  /** The final status, reached in the same way. */
  settled(paymentId: string): Promise<PaymentStatus>
  statusOf(paymentId: string): Promise<PaymentStatus>
}

export function openPaymentDriver(gateway: TestGateway): PaymentDriver {
  const { client } = gateway
  const consents = new Map<string, Consented>()
  const statusOf = (paymentId: string) => client.getPaymentStatus({ params: { paymentId } })
  const consentOf = async (bank: NordicBank, userId: string = bank.users[0]) => {
    const { bic, organizationNumber } = bank
    const key = `${bic} ${userId}`
    const consent =
      consents.get(key) ??
      (await (bank.plainPages ? acceptedConsent : acceptedWithoutBrowser)(gateway, userId, { bic, organizationNumber }))
    consents.set(key, consent)
    return consent
  }
  const passUntilFinal = async (paymentIds: Iterable<string>) => {
    for (const paymentId of paymentIds) {
      for (let moves = 0; !isFinalStatus((await statusOf(paymentId)).status); moves += 1) {
        if (moves === HALF_DAYS_MAX) {
          throw new Error(`The payment ${paymentId} has no final status after a week`)
        }
        await passTime(gateway, 'PT12H')
      }
    }
  }
  return {
    consentOf,
    statusOf,
    nextMorning: async () => {
      const now = gateway.context.clock.now()
      const isOne = isBankMorning(now)
      const morning = isOne ? now : nextBankMorning(gateway.context.clock.today('Europe/Helsinki'))
      if (!isOne) {
        await passUntil(gateway, morning)
      }
      return morning.toZonedDateTimeISO('UTC').toPlainDate()
    },
    order: async (bank, changes = {}, userId = bank.users[0]) =>
      await client.initiateDomesticPayment({
        ...(await consentOf(bank, userId)),
        body: { ...invoiceAt(gateway, bank), ...changes },
      }),
    sign: async (bank, paymentId, userId = bank.users[0]) => {
      const body = { payments: [paymentId], callbackUrl: CALLBACK }
      const { id, sca } = await client.approvePayments({ ...(await consentOf(bank, userId)), body })
      const back = bank.plainPages
        ? (await visitBank(sca?.type === 'redirect' ? sca.url : '', { userId })).search
        : (await client.decideSandboxApproval({ params: { approvalId: id, decision: 'sign' }, body: { userId } }))
            .callback
      if (back?.endsWith('status=success') !== true) {
        throw new Error(`Signing ended with ${back}`)
      }
      await gateway.sweep()
      return await statusOf(paymentId)
    },
    passUntilFinal,
    settled: async (paymentId) => {
      await passUntilFinal([paymentId])
      return await statusOf(paymentId)
    },
  }
}

/** Creates a consent that the user has accepted with the bank's SCA approach. */
export async function acceptedWithoutBrowser(
  { client }: Pick<TestGateway, 'client'>,
  userId: string,
  requested: { readonly bic: string; readonly organizationNumber: string },
): Promise<Consented> {
  const { id } = await client.createConsent({ psu: PSU, body: { ...requested, userId, callbackUrl: CALLBACK } })
  const params = { consentId: id, decision: 'sign' } as const
  const { outcome } = await client.decideSandboxConsent({ params, body: { userId } })
  if (outcome !== 'success') {
    throw new Error(`The consent at ${requested.bic} ended with ${outcome}`)
  }
  return { consentId: id, psu: PSU }
}

/** The debtor fields for an account. */
export function fromAccount(bank: NordicBank, bban: string): Pick<DomesticPayment, 'from'> {
  const { companyName: name, currency, organizationNumber } = bank
  return { from: { account: { type: 'bban', bban }, contactInformation: { name }, currency, organizationNumber } }
}

/** The creditor fields. */
export function toAccount(bban: string, name: string): Pick<DomesticPayment, 'to'> {
  return { to: { account: { type: 'bban', bban }, contactInformation: { name } } }
}

function invoiceAt(gateway: TestGateway, bank: NordicBank): DomesticPayment {
  return domesticPayment(gateway, {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency: bank.currency },
    remittanceInformation: { type: 'message', value: 'Order 4711' },
  })
}
