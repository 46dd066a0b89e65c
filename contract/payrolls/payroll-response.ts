/** Describes payrolls as they are shown: what became of each payout, of the whole, and a page of their list. */
import { type Static, type TProperties, Type } from 'typebox'
import { ApprovalStatus } from '../approvals.ts'
import { PaymentWarning } from '../payments/payment-operations.ts'
import { ScaRedirect } from '../sca.ts'
import { day, instant, Money, PaymentStatusReason, PaymentStatusValue, text, uuid } from '../shapes.ts'

export const payrollId = uuid('Identifies the payroll for approval, cancellation and status.')

/** The status of the whole. */
export const currentPayrollStatus = Type.Enum([...PaymentStatusValue.enum], {
  title: 'CurrentPayrollStatus',
  description:
    'The status that all payouts have; of several, the first that one of them has out of CustomerActionRequired, ' +
    'Unsigned, InProgress, Completed, Rejected, Cancelled.',
})

export const PayrollTransaction = Type.Object(
  {
    endToEndId: text('That of the payout as it was ordered.'),
    timestamp: instant('When what is known of the payout was brought up to date last.'),
    payrollStatus: PaymentStatusValue,
    payrollStatusReason: Type.Optional(PaymentStatusReason),
    payrollStatusReasonText: Type.Optional(
      text(
        'What the bank says besides, in words of ours: its own may name accounts, persons and amounts. Not for end users.',
      ),
    ),
  },
  { title: 'PayrollTransaction', description: 'What became of one payout.' },
)
export type PayrollTransaction = Static<typeof PayrollTransaction>

const transactions = Type.Array(PayrollTransaction, { description: 'Every payout, in the order of the request.' })

export const PayrollWarning = Type.Object(
  {
    code: PaymentWarning.properties.code,
    reason: Type.Optional(text('What the warning is about, for people.')),
    path: Type.Optional(text('Where in the order it is, for example `.transactions[3].account.bban`.')),
    expectedExecutionDate: Type.Optional(
      day('With DueDateMoved: on which day the bank carries the payouts out, were they signed now.'),
    ),
    payrollId: Type.Optional(uuid('The other payroll that the warning is about.')),
  },
  { title: 'PayrollWarning', description: 'Something to look at; the payroll was accepted all the same.' },
)
export type PayrollWarning = Static<typeof PayrollWarning>

const warnings = Type.Optional(
  Type.Array(PayrollWarning, { description: 'What the partner should look at; the first 1 000.' }),
)

export const PayrollInitiated = Type.Object(
  { payrollId, transactions, warnings },
  { title: 'PayrollInitiated', description: 'The payroll as it was taken.' },
)
export type PayrollInitiated = Static<typeof PayrollInitiated>

export const PayrollBulkInitiated = Type.Object(
  {
    id: uuid('Identifies the bulk, and the approval that was started over all of it.'),
    payrolls: Type.Array(PayrollInitiated, { description: 'Every payroll, in the order of the request.' }),
    status: ApprovalStatus,
    sca: Type.Optional(
      Type.Object({ redirect: ScaRedirect }, { title: 'PayrollBulkSca', description: 'How the user authenticates.' }),
    ),
  },
  { title: 'PayrollBulkInitiated', description: 'The payrolls of a bulk, and the signing of them all.' },
)
export type PayrollBulkInitiated = Static<typeof PayrollBulkInitiated>

/** What is told of a payroll as a whole wherever it is shown. */
const whole = {
  payrollId,
  currentPayrollStatus,
  finalStatus: Type.Boolean({
    description: 'Whether every status is expected to stay; banks may still change one later, for example by a return.',
  }),
  outcomeUnknown: Type.Boolean({
    description: 'Whether the bank was asked and no answer was kept, so that it may or may not hold an order.',
  }),
} satisfies TProperties

export const PayrollStatus = Type.Object(
  { ...whole, transactions },
  { title: 'PayrollStatus', description: 'What became of a payroll and of each payout.' },
)
export type PayrollStatus = Static<typeof PayrollStatus>

export const PayrollListed = Type.Object(
  {
    ...whole,
    from: Type.Object(
      {
        account: Type.Object(
          { bban: text('The account number.') },
          { title: 'PayrollAccountListed', description: 'The account that pays.' },
        ),
        name: text('The name of the organisation that pays.'),
        organizationNumber: Type.Optional(text('The organisation number of the company that pays.')),
      },
      { title: 'PayrollDebtorListed', description: 'Who pays, and from where.' },
    ),
    transactionCount: Type.Integer({ minimum: 1, description: 'How many payouts there are.' }),
    totalAmount: Money,
    dueDate: day('The day on which the bank is to pay.'),
    bulkId: Type.Optional(uuid('The bulk that the payroll came in.')),
    createdAt: instant('When the payroll was ordered.'),
    updatedAt: instant('When the status of the payroll, or of one of its payouts, changed last.'),
  },
  { title: 'PayrollListed', description: 'What was asked, and what became of it, without the single payouts.' },
)
export type PayrollListed = Static<typeof PayrollListed>

export const PayrollPage = Type.Object(
  {
    payrolls: Type.Array(PayrollListed, { description: 'The payrolls, in an order that stays from page to page.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'What to send as cursor for the next page; null on the last one.',
    }),
  },
  { title: 'PayrollPage', description: 'A page of payrolls.' },
)
export type PayrollPage = Static<typeof PayrollPage>
