/** `havn approve`: starts the approval of payments or payrolls and prints its link, or simulates the sandbox's user. */

import type { Command } from 'commander'
import { HavnError } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import { developerCommand, simulateOption } from '../command-options.ts'
import { findConsentOfAccount } from '../consents/choose-account.ts'
import type { Connection, Context } from '../context.ts'
import { scaLink } from '../output/output.ts'

export type SimulatedDecision = 'sign' | 'reject'

export type ApproveOptions = {
  readonly consent?: string
  readonly callbackUrl?: string
  readonly simulate?: SimulatedDecision
  /** Who signs in the sandbox. */
  readonly user?: string
}

/** What is approved: payments and payrolls have approvals of their own. */
type Subject = { readonly kind: 'payment' | 'payroll'; readonly bban: string; readonly company: string | undefined }
type StartedApproval = Awaited<ReturnType<Connection['havn']['approvePayments']>>

const NOT_FOUND = 404

export async function approve(context: Context, ids: readonly string[], options: ApproveOptions): Promise<void> {
  await approvePayment(context, await context.connect(), ids, options)
}

/** Approves payments, or payrolls, all of one kind. */
export async function approvePayment(
  context: Context,
  connection: Connection,
  ids: readonly string[],
  options: ApproveOptions,
): Promise<void> {
  const subject = await subjectOf(connection, ids)
  const company = subject.company === undefined ? {} : { company: subject.company }
  const consentId =
    options.consent ?? (await findConsentOfAccount(context, connection, company, subject.bban)).consent.id
  const approval = await startApproval(connection, { subject, ids, consentId }, options)
  if (options.simulate === undefined) {
    const next = ids.map((id) => `havn status ${id} --follow`).join('\n      ')
    context.output.result(
      { ...approval, consentId },
      `Approval ${approval.id}\n${scaLink(approval.sca)}\nNext: ${next}`,
    )
    return
  }
  const result = await simulateApproval(connection, approval.id, options)
  const next = `havn status ${ids[0]} --follow`
  context.output.result(
    { approvalId: approval.id, [`${subject.kind}Ids`]: ids, ...result },
    `Approval ${approval.id}: ${result.outcome ?? 'the bank has not decided yet'}.\n` +
      `${ids.map((id) => `${subject.kind} ${id}`).join('\n')}\nNext: ${next}`,
  )
  if (options.simulate === 'sign' && result.outcome !== 'success') {
    throw new CommandError('unsuccessful', `The approval was not signed: ${result.outcome ?? 'not decided yet'}`, {
      next,
    })
  }
}

async function startApproval(
  { havn, psu, callbackUrl }: Connection,
  {
    subject,
    ids,
    consentId,
  }: { readonly subject: Subject; readonly ids: readonly string[]; readonly consentId: string },
  options: ApproveOptions,
): Promise<Pick<StartedApproval, 'id' | 'status' | 'sca'>> {
  const where = { callbackUrl: options.callbackUrl ?? callbackUrl }
  return subject.kind === 'payment'
    ? await havn.approvePayments({ consentId, psu, body: { payments: [...ids], ...where } })
    : await havn.approvePayrolls({ consentId, psu, body: { payrolls: [...ids], ...where } })
}

/** The sandbox's user decides without a browser. */
export async function simulateApproval(
  connection: Connection,
  approvalId: string,
  { simulate = 'sign', user }: ApproveOptions,
) {
  return await connection.havn.decideSandboxApproval({
    params: { approvalId, decision: simulate },
    body: user === undefined ? {} : { userId: user },
  })
}

/** The account and company of the first order, by which the consent is found. */
async function subjectOf(connection: Connection, ids: readonly string[]): Promise<Subject> {
  const [first = ''] = ids
  const payment = await findPayment(connection, first)
  if (payment !== undefined) {
    const { account, organizationNumber } = payment.from
    const bban = account.bban ?? ('iban' in account ? account.iban : undefined)
    return { kind: 'payment', bban: bban ?? '', company: organizationNumber }
  }
  const payroll = await findPayroll(connection, first)
  if (payroll === undefined) {
    throw new CommandError('invalid', `There is neither a payment nor a payroll ${first}`)
  }
  return { kind: 'payroll', bban: payroll.from.account.bban, company: payroll.from.organizationNumber }
}

/** Undefined where the partner has no such payment. */
export async function findPayment({ havn }: Pick<Connection, 'havn'>, paymentId: string) {
  return await orUndefined(havn.getPayment({ params: { paymentId } }))
}

/** The summary of a payroll, which only the list has. */
async function findPayroll({ havn }: Pick<Connection, 'havn'>, payrollId: string) {
  for await (const payroll of havn.iteratePayrolls()) {
    if (payroll.payrollId === payrollId) {
      return payroll
    }
  }
  return undefined
}

/** An id of another form is rejected like an unknown one. */
export async function orUndefined<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof HavnError && error.status === NOT_FOUND) {
      return undefined
    }
    throw error
  })
}

export function declareApprove(command: Command): void {
  developerCommand(command, approve, [
    'havn approve $PAYMENT',
    ['havn approve $PAYMENT --simulate sign && havn status $PAYMENT --follow', 'in a sandbox'],
  ])
    .argument('<id...>', 'payments, or payrolls, of one bank and company')
    .option('--consent <id>', 'the consent to act under; by default the newest one that has the account')
    .option('--callback-url <url>', 'where the user returns to')
    .option('--user <id>', 'with --simulate: who signs; by default the first user who may')
    .addOption(simulateOption())
}
