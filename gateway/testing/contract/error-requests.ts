/** Sends a request of each operation that has documented error codes: valid, but for the part that provokes an error. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../banks/nordic-banks.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import type { PaymentDriver } from '../payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier, toIndia } from '../payments/sample-cross-border-payments.ts'
import { CALLBACK, domesticPayment } from '../payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../payrolls/payroll-fixture.ts'

export type Caller = Awaited<ReturnType<PaymentDriver['consentOf']>>

/** The parts of a request that differ from the valid one. */
export type ErrorRequest = {
  /** Of the request that fails; orders before it are the default user's. */
  readonly caller?: Caller | undefined
  /** Of the order, or of the one salary of the payroll. */
  readonly amount?: string | undefined
  readonly crossBorder?: Partial<CrossBorderPayment>
  /** Of a cross-border payment. */
  readonly field?: { readonly path: string; readonly value: string }
  readonly payrollId?: string
  readonly accountId?: string
}

export type ErrorRequests = {
  /** By operation. */
  readonly send: Readonly<Record<string, (request: ErrorRequest) => Promise<unknown>>>
  consentOf(bank: NordicBank): Promise<Caller>
  orderPayroll(request: ErrorRequest): Promise<{ readonly payrollId: string }>
  /** What makes a payment one with exchange: so many dollars or rupees, due so many days ahead. */
  exchange(amount: string, daysAhead?: number, currency?: 'USD' | 'INR'): Partial<CrossBorderPayment>
  /** What makes a payment one of another company, which has other accounts. */
  paidBy(organizationNumber: string): Partial<CrossBorderPayment>
  /** The first bank day that is at least so many days ahead. */
  bankDay(daysAhead: number): Temporal.PlainDate
}

type Parts = { readonly gateway: TestGateway; readonly payrolls: PayrollFixture; bankDay: ErrorRequests['bankDay'] }

const PAYMENTS_AT = nordicBank('FJORNO22')
const PAYROLLS_AT = nordicBank(PAYROLL_BANKS.bulk)
const BULKS_AT = nordicBank(PAYROLL_BANKS.bulkOwnIds)
const EURO = { bban: '80501100076', currency: 'EUR' }
const KRONER = { bban: PAYMENTS_AT.main, currency: PAYMENTS_AT.currency }
/** Long enough ahead for a signed order to be cancelled. */
const CANCELLABLE_DAYS_AHEAD = 3
const AMOUNT = '310.00'
const COMPANY = { country: 'NO', organizationNumber: PAYMENTS_AT.organizationNumber } as const

export function bankOfOperation(operation: string): NordicBank {
  return operation === 'initiatePayrollBulk' ? BULKS_AT : /payroll/i.test(operation) ? PAYROLLS_AT : PAYMENTS_AT
}

export function openErrorRequests(gateway: TestGateway): ErrorRequests {
  const { client, context } = gateway
  const payrolls = openPayrollFixture(gateway)
  const bankDay = (daysAhead: number) =>
    nextBankDay(['NO', 'TARGET'], context.clock.today('Europe/Oslo').add({ days: daysAhead }))
  const parts = { gateway, payrolls, bankDay }
  const consentOf: ErrorRequests['consentOf'] = (bank) => payrolls.payer.consentOf(bank)
  return {
    bankDay,
    consentOf,
    orderPayroll: (request) => orderPayroll(parts, request),
    exchange: (amount, daysAhead = 0, currency = 'USD') => ({
      from: crossBorderPayment(gateway, PAYMENTS_AT, KRONER).from,
      ...(currency === 'INR' ? toIndia : { to: dollarSupplier }),
      amount: { amount, currency },
      dueDate: bankDay(daysAhead).toString(),
      regulatoryReporting: { code: '14', information: 'Tools' },
    }),
    paidBy: (organizationNumber) => ({
      from: { ...crossBorderPayment(gateway, PAYMENTS_AT, EURO).from, organizationNumber },
    }),
    send: {
      ...paymentRequests(parts),
      ...payrollRequests(parts),
      listExtendedAccountEntries: async ({ caller, accountId = '' }) => {
        const day = bankDay(0).toString()
        const asked = { params: { accountId }, query: { fromDate: day, toDate: day } }
        return await client.listExtendedAccountEntries({ ...(caller ?? (await consentOf(PAYMENTS_AT))), ...asked })
      },
      startOnboarding: () => client.startOnboarding({ body: COMPANY }),
      registerCompany: () => client.registerCompany({ body: COMPANY }),
    },
  }
}

function paymentRequests({ gateway, payrolls: { payer }, bankDay }: Parts): ErrorRequests['send'] {
  const { client } = gateway
  const own = () => payer.consentOf(PAYMENTS_AT)
  const order = async ({ caller, amount = AMOUNT }: ErrorRequest) => {
    const changes = {
      amount: { amount, currency: PAYMENTS_AT.currency },
      dueDate: bankDay(CANCELLABLE_DAYS_AHEAD).toString(),
    }
    return await client.initiateDomesticPayment({
      ...(caller ?? (await own())),
      body: domesticPayment(gateway, changes),
    })
  }
  const approve = async ({ caller, amount }: ErrorRequest) => {
    const { paymentId } = await order({ amount })
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    return await client.approvePayments({ ...(caller ?? (await own())), body })
  }
  return {
    initiateDomesticPayment: order,
    initiateCrossBorderPayment: async ({ caller, amount = AMOUNT, crossBorder = {}, field }) => {
      const changes = { amount: { amount, currency: EURO.currency }, ...crossBorder }
      const order = crossBorderPayment(gateway, PAYMENTS_AT, EURO, changes)
      const body = field === undefined ? order : withField(order, field.path.split('.').slice(1), field.value)
      return await client.initiateCrossBorderPayment({ ...(caller ?? (await own())), body })
    },
    approvePayments: approve,
    getPaymentApproval: async ({ caller }) => {
      const { id: approvalId } = await approve({})
      return await client.getPaymentApproval({ ...(caller ?? (await own())), params: { approvalId } })
    },
    cancelPayment: async ({ caller, amount }) => {
      const { paymentId } = await order({ amount })
      await payer.sign(PAYMENTS_AT, paymentId)
      const body = { paymentId, callbackUrl: CALLBACK }
      return await client.cancelPayment({ ...(caller ?? (await own())), body })
    },
  }
}

function payrollRequests(parts: Parts): ErrorRequests['send'] {
  const { payer, submit, sign, statusOf } = parts.payrolls
  const { client } = parts.gateway
  const own = () => payer.consentOf(PAYROLLS_AT)
  return {
    initiatePayroll: (request) => orderPayroll(parts, request),
    initiatePayrollBulk: async ({ caller, amount }) => {
      const body = { callbackUrl: CALLBACK, payrolls: [payrollAt(parts, BULKS_AT, amount)] }
      return await client.initiatePayrollBulk({ ...(caller ?? (await payer.consentOf(BULKS_AT))), body })
    },
    getPayrollStatus: ({ payrollId = '' }) => statusOf(payrollId),
    approvePayrolls: async ({ caller, amount }) => {
      const { payrollId } = await orderPayroll(parts, { amount })
      await submit()
      const body = { payrolls: [payrollId], callbackUrl: CALLBACK }
      return await client.approvePayrolls({ ...(caller ?? (await own())), body })
    },
    cancelPayroll: async ({ caller, amount }) => {
      const { payrollId } = await orderPayroll(parts, { amount })
      await sign(PAYROLLS_AT, [payrollId])
      return await client.cancelPayroll({ ...(caller ?? (await own())), body: { payrollId, callbackUrl: CALLBACK } })
    },
  }
}

async function orderPayroll(parts: Parts, { caller, amount }: ErrorRequest) {
  const { gateway, payrolls } = parts
  const consented = caller ?? (await payrolls.payer.consentOf(PAYROLLS_AT))
  return await gateway.client.initiatePayroll({ ...consented, body: payrollAt(parts, PAYROLLS_AT, amount) })
}

function payrollAt({ payrolls, bankDay }: Parts, bank: NordicBank, amount = AMOUNT) {
  const dueDate = bankDay(CANCELLABLE_DAYS_AHEAD).toString()
  const { transactions, ...payroll } = payrolls.payroll(bank, 1, { dueDate })
  const money = { amount, currency: bank.currency }
  return { ...payroll, transactions: transactions.map((transaction) => ({ ...transaction, amount: money })) }
}

/** Returns a copy with another value at a path, whose type fits. */
function withField<Value extends object>(from: Value, [name = '', ...rest]: readonly string[], value: string): Value {
  const member: unknown = Object.entries(from).find(([key]) => key === name)?.[1]
  const changed = typeof member === 'object' && member !== null ? withField(member, rest, value) : value
  return { ...from, [name]: changed }
}
