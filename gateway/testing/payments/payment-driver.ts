/** Plays the partner and its users at any bank of the sandbox: consents, orders, signatures, and waiting for settlement. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { PaymentStatus } from '../../../contract/shapes.ts'
import { moveClock } from '../../../sdk/move-clock.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import { visitBank } from '../browser/bank-user.ts'
import { bankMorningAfter } from '../gateway/start-on-bank-day.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from './sample-payments.ts'

type Consented = Awaited<ReturnType<typeof acceptedConsent>>

/** What can be done; users are those who pay unless told otherwise. */
export type Payer = {
  /** Moves on to a morning on which all banks are open, so that no cut-off has passed. */
  nextMorning(): Promise<Temporal.PlainDate>
  /** A consent of the user, the same one each time. */
  consentOf(bank: NordicBank, userId?: string): Promise<Consented>
  /** Orders a payment to the supplier, but for the changes. */
  order(bank: NordicBank, changes?: Partial<DomesticPayment>, userId?: string): Promise<PaymentInitiated>
  /** Approves and signs; answers the status after that. */
  sign(bank: NordicBank, paymentId: string, userId?: string): Promise<PaymentStatus>
  /** The status once the due day and what follows it are over. */
  settled(paymentId: string): Promise<PaymentStatus>
  statusOf(paymentId: string): Promise<PaymentStatus>
}

/** Opens the payer of a whole gateway. */
export function openPayer(gateway: WholeGateway): Payer {
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
  return {
    consentOf,
    statusOf,
    nextMorning: async () => {
      const morning = bankMorningAfter(gateway.context.clock.today('Europe/Helsinki'))
      await moveClock(client, { set: morning.toString() })
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
    settled: async (paymentId) => {
      await moveClock(client, { advance: 'P3D' })
      return await statusOf(paymentId)
    },
  }
}

/** A consent that its user has accepted in whatever way the bank has. */
export async function acceptedWithoutBrowser(
  { client }: Pick<WholeGateway, 'client'>,
  userId: string,
  asked: { readonly bic: string; readonly organizationNumber: string },
): Promise<Consented> {
  const { id } = await client.createConsent({ psu: PSU, body: { ...asked, userId, callbackUrl: CALLBACK } })
  const params = { consentId: id, decision: 'sign' } as const
  const { outcome } = await client.decideSandboxConsent({ params, body: { userId } })
  if (outcome !== 'success') {
    throw new Error(`The consent at ${asked.bic} ended with ${outcome}`)
  }
  return { consentId: id, psu: PSU }
}

/** The side that pays, from an account. */
export function fromAccount(bank: NordicBank, bban: string): Pick<DomesticPayment, 'from'> {
  const { companyName: name, currency, organizationNumber } = bank
  return { from: { account: { type: 'bban', bban }, contactInformation: { name }, currency, organizationNumber } }
}

/** The side that is paid. */
export function toAccount(bban: string, name: string): Pick<DomesticPayment, 'to'> {
  return { to: { account: { type: 'bban', bban }, contactInformation: { name } } }
}

function invoiceAt(gateway: WholeGateway, bank: NordicBank): DomesticPayment {
  return domesticPayment(gateway, {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency: bank.currency },
    remittanceInformation: { type: 'message', value: 'Order 4711' },
  })
}
