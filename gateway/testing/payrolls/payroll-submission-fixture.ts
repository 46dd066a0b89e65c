/** Plays a company at banks that take payouts one by one: keeps its payrolls, has them placed, and looks at the bank. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import type { PayrollAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { SandboxBank } from '../../../sandbox/bank/bank.ts'
import { requireBank } from '../../banks/directory/require-bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { keepPayroll } from '../../payrolls/keep-payroll.ts'
import type { Payroll } from '../../payrolls/payroll.ts'
import { placePayroll } from '../../payrolls/place-payroll.ts'
import { payrollOf } from '../../payrolls/require-payroll.ts'
import type { Clock } from '../../platform/clock.ts'
import { type NordicBank, nordicBank } from '../banks/nordic-banks.ts'
import { eventually } from '../gateway/eventually.ts'
import { startWholeGateway, type WholeGateway } from '../gateway/test-gateway.ts'
import { openPayer } from '../payments/payment-driver.ts'
import { PAYROLL_BANKS } from './payroll-fixture.ts'
import { payrollCaller } from './payroll-initiation-context.ts'

/** Banks that take payouts in signing baskets, and signed one after the other. */
export const ONE_BY_ONE = { baskets: PAYROLL_BANKS.baskets, chain: PAYROLL_BANKS.chain } as const
export type OneByOne = keyof typeof ONE_BY_ONE

const OrdersAtBank = Type.Array(
  Type.Object({
    paymentId: Type.String(),
    transactionStatus: Type.String(),
    requestId: Type.String(),
    amount: Type.String(),
    body: Type.Unknown(),
  }),
)
/** What a bank holds of a payroll. */
export type OrderAtBank = Static<typeof OrdersAtBank>[number]

/** How far a payroll is, as it is kept. */
export type PayrollKept = { readonly payroll: Payroll; readonly orders: readonly OrderKept[]; readonly waiting: number }
export type OrderKept = {
  readonly id: string
  readonly position: number
  readonly outcome: string
  readonly status: string
  readonly requestId: string
  readonly bankPaymentId: string | null
}

export type PlacingStage = {
  readonly gateway: WholeGateway
  /** The user of the company at the bank of a way, as a request brings them. */
  callerAt(way: OneByOne): Promise<ConsentCaller>
  /** A payroll that is kept; nobody has been asked to take any of it. Those with the same mark and amounts are equal. */
  keep(way: OneByOne, amounts: readonly string[], other?: { from?: string; mark?: string }): Promise<Payroll>
  /** Places the rest as a process would that works with this context. */
  place(payroll: Payroll, context?: Context): Promise<void>
  kept(payroll: Payroll): Promise<PayrollKept>
  /** What the bank holds, and of which requests of ours it came. */
  atBank(payroll: Payroll): Promise<readonly OrderAtBank[]>
  /** Lets a fault strike at the bank of a way: initiations unless told otherwise. */
  strike(
    way: OneByOne,
    fault: {
      readonly operation?: string
      readonly effect: string
      readonly times?: number
      readonly status?: number
      readonly milliseconds?: number
    },
  ): Promise<void>
  heal(): Promise<void>
  /** Waits for what goes on behind an answer. */
  until(payroll: Payroll, state: Payroll['state']): Promise<PayrollKept>
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** What a payroll at a bank orders; no two payouts are alike, and `mark` is in what each says to its receiver. */
export function payrollAt(
  gateway: { readonly context: { readonly clock: Pick<Clock, 'today'> } },
  bank: NordicBank,
  amounts: readonly string[],
  mark: string,
): PayrollAsked {
  const { clock } = gateway.context
  const tomorrow = clock.today('Europe/Stockholm').add({ days: 1 })
  return {
    from: { account: { bban: bank.main }, name: bank.companyName },
    transactions: amounts.map((amount, n) => ({
      metadata: { endToEndId: `SAL-${mark}-${n}` },
      name: `${bank.supplierName} ${n}`,
      account: { bban: bank.supplier },
      amount: { amount, currency: bank.currency },
      remittanceInformation: { type: 'message', value: `Pay ${mark} ${n}` },
    })),
    dueDate: nextBankDay(['NO', 'SE'], tomorrow).toString(),
    purposeCode: 'SALA',
  }
}

/** Starts everything. */
export async function openPlacingStage(): Promise<PlacingStage> {
  const gateway = await startWholeGateway()
  const { context, bank: sandbox } = gateway
  const payer = openPayer(gateway)
  const marks = new Map<string, string>()
  const sql: PlacingStage['sql'] = async (text, values = []) =>
    (await context.database.pool.query(text, [...values])).rows
  const control = controlOf(sandbox)
  const callerAt = (way: OneByOne) => payrollCaller(gateway, payer, nordicBank(ONE_BY_ONE[way]))
  const kept = (payroll: Payroll) => keptOf(gateway, sql, payroll)
  return {
    ...{ gateway, callerAt, kept, sql },
    keep: async (way, amounts, { from, mark = crypto.randomUUID().slice(0, 8) } = {}) => {
      const caller = await callerAt(way)
      const bank = await requireBank(context.banks, ONE_BY_ONE[way])
      const usual = payrollAt(gateway, nordicBank(bank.bic), amounts, mark)
      const asked = from === undefined ? usual : { ...usual, from: { ...usual.from, account: { bban: from } } }
      const { payroll } = await keepPayroll(context, caller, asked, { bank, way, within: async () => undefined })
      marks.set(payroll.id, mark)
      return payroll
    },
    place: async (payroll, as = context) => {
      const caller = await callerAt(payroll.way === 'chain' ? 'chain' : 'baskets')
      await placePayroll(as, caller, payroll, new AbortController().signal)
    },
    atBank: async (payroll) => {
      const held = Value.Parse(
        OrdersAtBank,
        Value.Clean(OrdersAtBank, await control('GET', `/payments?bank=${payroll.bic}`)),
      )
      const mark = marks.get(payroll.id) ?? ''
      return held.filter(({ body }) => JSON.stringify(body).includes(`Pay ${mark} `))
    },
    strike: async (way, fault) => {
      await control('POST', '/faults', { bank: ONE_BY_ONE[way], operation: 'initiatePayment', ...fault })
    },
    heal: async () => {
      await control('DELETE', '/faults')
      await context.banks.forgetFailures()
    },
    until: async (payroll, state) =>
      await eventually(async () => {
        const now = await kept(payroll)
        expect(now.payroll.state).toBe(state)
        return now
      }),
  }
}

/** Asks the sandbox bank for what only tests ask. */
function controlOf({ pagesUrl }: Pick<SandboxBank, 'pagesUrl'>) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(`${pagesUrl}/control${path}`, { method, ...json })
    expect(answer.ok, `${method} ${path}`).toBe(true)
    return await answer.json()
  }
}

/** How far a payroll is by what the gateway keeps. */
async function keptOf(
  { context }: Pick<WholeGateway, 'context'>,
  sql: PlacingStage['sql'],
  { partnerId, id }: Payroll,
): Promise<PayrollKept> {
  return {
    payroll: await payrollOf(context, partnerId, id),
    orders: await sql<OrderKept>(
      `select p.id, t.position, p.outcome, p.status, p.bank_request_id as "requestId",
         p.bank_payment_id as "bankPaymentId"
       from payroll_transactions t join payments p on p.partner_id = t.partner_id and p.id = t.payment_id
       where t.payroll_id = $1 order by t.position`,
      [id],
    ),
    waiting: Number(
      (
        await sql<{ count: string }>(
          'select count(*) from payroll_transactions where payroll_id = $1 and payment_id is null',
          [id],
        )
      )[0]?.count,
    ),
  }
}
