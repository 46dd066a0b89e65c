/** Puts load on a gateway as a partner: payments at two banks, some of them signed, and a payroll. */
import type { DomesticPayment } from '../contract/payments/domestic-payment.ts'
import { wallMilliseconds } from '../gateway/platform/clock.ts'
import { nordicBank } from '../gateway/testing/banks/nordic-banks.ts'
import { acceptedWithoutBrowser, fromAccount, toAccount } from '../gateway/testing/payments/payment-driver.ts'
import { domesticPayment } from '../gateway/testing/payments/sample-payments.ts'
import { BANKS_BY_SINGLE_MODE, samplePayroll } from '../gateway/testing/payrolls/payroll-submission-fixture.ts'
import type { HavnClient } from '../sdk/index.ts'
import { type InstallationSettings, urlOf } from './havn-installation.ts'

/** At the first entries name our orders, at the second they do not. */
export const BANKS = [nordicBank('SAIMFIHH'), nordicBank('FJORNO22')] as const

/** What the partner knows of a payment. */
export type OrderedPayment = {
  readonly bic: string
  /** Unique in a drill, so that the bank's own ledger shows how often it has the order. */
  readonly amount: string
  readonly key: string
  readonly body: DomesticPayment
  readonly consentId: string
  /** Wall time in milliseconds since 1970. */
  readonly orderedAt: number
  /** Null where no answer came. */
  paymentId: string | null
}

export type PaymentLoad = {
  readonly payments: readonly OrderedPayment[]
  stop(): Promise<void>
}

export const PSU = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0 (drill)' }
export const CALLBACK = 'http://127.0.0.1:9/back'
/** Every third payment is signed. */
const SIGNED_EVERY = 3
const PAUSE_MILLISECONDS = 40

/** The business day in a time zone. */
export type Today = (timeZone: string) => Temporal.PlainDate

/** Orders payments one after the other at each bank until it is stopped; errors are what the drill is about. */
export async function startLoad(client: HavnClient, today: Today): Promise<PaymentLoad> {
  const payments: OrderedPayment[] = []
  const consents = await consentsAt(client)
  let isStopped = false
  const loops = BANKS.map(async (bank) => {
    const consentId = consents.get(bank.bic) ?? ''
    for (let n = 1; !isStopped; n += 1) {
      const ordered = orderOf(bank, { consentId, number: payments.length + 1, today })
      payments.push(ordered)
      await order(client, ordered)
      if (n % SIGNED_EVERY === 0 && ordered.paymentId !== null) {
        await sign(client, ordered, bank.users[0]).catch(() => undefined)
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
    }
  })
  return {
    payments,
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}

/** Consents of the first users, by bank. */
export async function consentsAt(client: HavnClient): Promise<ReadonlyMap<string, string>> {
  const consents = new Map<string, string>()
  for (const { bic, organizationNumber, users } of BANKS) {
    const { consentId } = await acceptedWithoutBrowser({ client }, users[0], { bic, organizationNumber })
    consents.set(bic, consentId)
  }
  return consents
}

/** Orders a payment, or repeats the request with its key; returns the status of the answer, 0 without one. */
export async function order(client: HavnClient, ordered: OrderedPayment): Promise<number> {
  const { consentId, body, key } = ordered
  try {
    const { paymentId } = await client.initiateDomesticPayment({ consentId, psu: PSU, body, idempotencyKey: key })
    ordered.paymentId = paymentId
    return 200
  } catch (error) {
    return Number(Object(error).status ?? 0)
  }
}

export async function sign(
  client: HavnClient,
  { consentId, paymentId }: OrderedPayment,
  userId: string,
): Promise<void> {
  const body = { payments: [paymentId ?? ''], callbackUrl: CALLBACK }
  const { id } = await client.approvePayments({ consentId, psu: PSU, body })
  await client.decideSandboxApproval({ params: { approvalId: id, decision: 'sign' }, body: { userId } })
}

/** A payment of today whose amount the number makes unique. */
export function orderOf(
  bank: (typeof BANKS)[number],
  { consentId, number, today }: { readonly consentId: string; readonly number: number; readonly today: Today },
): OrderedPayment {
  const amount = `${100 + number}.${bank.currency === 'EUR' ? '11' : '22'}`
  const body = domesticPayment(
    { context: { clock: { today } } },
    {
      ...fromAccount(bank, bank.main),
      ...toAccount(bank.supplier, bank.supplierName),
      amount: { amount, currency: bank.currency },
      metadata: { endToEndId: `DRILL-2026-${number}` },
      remittanceInformation: { type: 'message', value: `Order ${number}` },
    },
  )
  return {
    bic: bank.bic,
    amount,
    key: crypto.randomUUID(),
    body,
    consentId,
    orderedAt: wallMilliseconds(),
    paymentId: null,
  }
}

export const PAYROLL_BANK = nordicBank(BANKS_BY_SINGLE_MODE.baskets)
const TRANSACTIONS = 60

/** Orders it, and returns once the bank has some of its transactions. */
export async function orderPayroll(client: HavnClient, settings: InstallationSettings, today: Today): Promise<void> {
  const { bic, organizationNumber, users } = PAYROLL_BANK
  const consented = await acceptedWithoutBrowser({ client }, users[0], { bic, organizationNumber })
  await slowDownInitiations(settings, bic, { milliseconds: 300, times: TRANSACTIONS })
  const amounts = Array.from({ length: TRANSACTIONS }, (_, n) => `${5_000 + n}.33`)
  const body = samplePayroll({ context: { clock: { today } } }, PAYROLL_BANK, amounts, 'drill')
  await client.initiatePayroll({ consentId: consented.consentId, psu: PSU, body })
  while ((await ordersAt(settings, bic)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Delays the next answers of a bank to initiations. */
export async function slowDownInitiations(
  { ports }: InstallationSettings,
  bank: string,
  slow: { readonly milliseconds: number; readonly times: number },
): Promise<void> {
  await fetch(`${urlOf(ports.pages)}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bank, operation: 'initiatePayment', effect: 'slow', ...slow }),
  })
}

type OrderAtBank = { readonly requestId: string; readonly amount: string }

export async function ordersAt({ ports }: InstallationSettings, bic: string): Promise<readonly OrderAtBank[]> {
  const answer = await fetch(`${urlOf(ports.pages)}/control/payments?bank=${bic}`)
  return (await answer.json()) as readonly OrderAtBank[]
}
