/** The triggers of events about payrolls: one salary at Havbanken, whose amount selects what happens. */
import { randomUUID } from 'node:crypto'
import { companyName, invoice, organizationNumber } from '../../../../contract/examples/demo-fixture.ts'
import type { EventTypeOf } from '../../../../contract/webhooks/event-types.ts'
import { calendarOf, nextBankDay } from '../../../../gateway/countries/bank-days.ts'
import { bankDay } from '../../context.ts'
import { OUTCOME_AMOUNTS, type OutcomeAmount, uniqueReference } from './payment-triggers.ts'
import type { Subject, Trigger, TriggerStage } from './trigger-stage.ts'

/** Fjordbanken does not accept payrolls. */
const HAVBANKEN = { bic: 'HAVBNO22', userId: 'KN12345' } as const
const DEBTOR_ACCOUNT = '80531100011'
const CREDITOR_ACCOUNT = '80531200016'

/** The outcomes that come by themselves a minute after signing. */
const AFTER_A_MINUTE = { advance: 'PT2M' } as const

const unsigned: Trigger = {
  how: 'orders a payroll that two users must sign; one signs, the other one rejects it; moves the clock by two minutes',
  run: async (stage) => await signedPayroll(stage, OUTCOME_AMOUNTS.secondSignerDeclines, AFTER_A_MINUTE),
}
const inProgress: Trigger = {
  how: 'orders and signs a payroll',
  run: (stage) => signedPayroll(stage, OUTCOME_AMOUNTS.paid),
}
const rejected: Trigger = {
  how: 'orders and signs a payroll whose only salary the bank rejects',
  run: (stage) => signedPayroll(stage, OUTCOME_AMOUNTS.rejectedAtOnce),
}
const completed: Trigger = {
  how: 'orders and signs a payroll that the bank books at once',
  run: (stage) => signedPayroll(stage, OUTCOME_AMOUNTS.completedAtOnce),
}
const cancelled: Trigger = {
  how: 'orders and signs a payroll that the bank cancels; moves the clock by two minutes',
  run: (stage) => signedPayroll(stage, OUTCOME_AMOUNTS.cancelledByBank, AFTER_A_MINUTE),
}
const customerActionRequired: Trigger = {
  how: 'orders and signs a payroll that the bank holds until an SMS is confirmed',
  run: (stage) => signedPayroll(stage, OUTCOME_AMOUNTS.smsConfirmation),
}

export const payrollTriggers: Readonly<Record<EventTypeOf<'PAYROLL_STATUS'>, Trigger>> = {
  PAYROLL_STATUS_UNSIGNED: unsigned,
  PAYROLL_STATUS_IN_PROGRESS: inProgress,
  PAYROLL_STATUS_REJECTED: rejected,
  PAYROLL_STATUS_COMPLETED: completed,
  PAYROLL_STATUS_CANCELLED: cancelled,
  PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED: customerActionRequired,
}

export const payrollTransactionTriggers: Readonly<Record<EventTypeOf<'PAYROLL_TRANSACTION_STATUS'>, Trigger>> = {
  PAYROLL_TRANSACTION_STATUS_UNSIGNED: unsigned,
  PAYROLL_TRANSACTION_STATUS_IN_PROGRESS: inProgress,
  PAYROLL_TRANSACTION_STATUS_REJECTED: rejected,
  PAYROLL_TRANSACTION_STATUS_COMPLETED: completed,
  PAYROLL_TRANSACTION_STATUS_CANCELLED: cancelled,
  PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED: customerActionRequired,
}

async function signedPayroll(
  stage: TriggerStage,
  amount: OutcomeAmount,
  afterwards?: { readonly advance: string },
): Promise<Subject> {
  const { havn, psu, callbackUrl, note } = stage
  const consentId = await stage.consentId(HAVBANKEN)
  const body = await payrollOf(stage, amount)
  const { payrollId } = await havn.initiatePayroll({ consentId, psu, idempotencyKey: randomUUID(), body })
  note(`Ordered payroll ${payrollId} with one salary of ${amount} ${invoice.amount.currency}`)
  const { id } = await havn.approvePayrolls({ consentId, psu, body: { payrolls: [payrollId], callbackUrl } })
  const { outcome } = await havn.decideSandboxApproval({ params: { approvalId: id, decision: 'sign' }, body: {} })
  note(`Approval ${id}: ${outcome ?? 'not decided yet'}`)
  if (afterwards !== undefined) {
    await stage.pass(afterwards)
  }
  return { payrollId }
}

async function payrollOf({ connection }: TriggerStage, amount: OutcomeAmount) {
  const reference = uniqueReference()
  return {
    from: { account: { bban: DEBTOR_ACCOUNT }, name: companyName, organizationNumber },
    transactions: [
      {
        metadata: { endToEndId: reference },
        name: invoice.to.contactInformation.name,
        account: { bban: CREDITOR_ACCOUNT },
        amount: { amount, currency: invoice.amount.currency },
        remittanceInformation: { type: 'message' as const, value: reference },
      },
    ],
    // Salaries are due on bank days.
    dueDate: nextBankDay([calendarOf('NO')], await bankDay(connection, 'NO')).toString(),
    purposeCode: 'SALA' as const,
  }
}
