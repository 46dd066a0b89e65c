/** Checks payrolls: ordered, shown, validated, signed and cancelled. */
import { type Check, type CheckContext, documentedIn, NotApplicable } from '../check.ts'
import { errorProblems, require, requireError, requireNone, requireStatus, valueAt } from '../expectations.ts'
import {
  type OrderedPayroll,
  openPayroll,
  ordering,
  orderPayroll,
  payrollRequest,
  requireSandbox,
  signCancellation,
} from '../subjects/payments.ts'
import { pollUntil } from '../subjects/subject.ts'

const SATURDAY = 6

const statusOf = ({ succeed }: CheckContext, { payrollId }: OrderedPayroll) =>
  succeed('getPayrollStatus', { params: { payrollId } })

/** Throws unless each transaction comes to be as expected. */
async function requireEach(context: CheckContext, payroll: OrderedPayroll, isExpected: (status: string) => boolean) {
  const { transactions } = await pollUntil(
    context,
    () => statusOf(context, payroll),
    (found) => found.transactions.every(({ payrollStatus }) => isExpected(payrollStatus)),
  )
  const statuses = transactions.map(({ payrollStatus }) => payrollStatus)
  require(statuses.every(isExpected), `The transactions are ${statuses.join(', ')}`)
}

/** Starts the approval as soon as the bank has every transaction. */
async function approve(context: CheckContext, { consentId, payrollId }: OrderedPayroll) {
  const body = { payrollId, callbackUrl: context.target.callbackUrl }
  const answer = await pollUntil(
    context,
    () => context.call('approvePayrolls', { consentId, body }),
    ({ status, text }) => !(status === 400 && text.includes('AUTHENTICATION_TEMPORARY_UNAVAILABLE')),
  )
  require(answer.status === 200, `The approval is answered with ${answer.status}: ${answer.text.slice(0, 300)}`)
  return String(Object(answer.body).id)
}

export const PAYROLL_CHECKS: readonly Check[] = documentedIn('Guide: payroll', [
  {
    id: 'payrolls-ordered',
    title: 'A payroll is ordered',
    rule: 'The response has a payrollId, and the transactions in the order of the request, usually Unsigned.',
    run: async (context) => {
      const payroll = await openPayroll(context)
      const wanted = payroll.request.transactions.map(({ metadata }) => metadata.endToEndId).join()
      const { transactions } = await statusOf(context, payroll)
      for (const found of [payroll.transactions, transactions]) {
        require(found.map(({ endToEndId }) => endToEndId).join() ===
          wanted, 'The transactions are others, or in another order')
        const statuses = found.map(({ payrollStatus }) => payrollStatus)
        require(statuses.every((status) => status === 'Unsigned'), `The transactions are ${statuses.join(', ')}`)
      }
    },
  },
  {
    id: 'payrolls-listed',
    title: 'A payroll is listed with its total',
    rule: 'The list, filtered by the endToEndId of a transaction, has the payroll with its number of transactions and exact total.',
    reference: 'API reference: listPayrolls',
    run: async (context) => {
      const { request, payrollId } = await openPayroll(context)
      const endToEndId = request.transactions[0]?.metadata.endToEndId
      const { payrolls } = await context.succeed('listPayrolls', { query: { endToEndId } })
      const [listed] = payrolls
      require(payrolls.length === 1 && listed?.payrollId === payrollId, `${payrolls.length} payrolls are listed`)
      requireNone([
        listed?.transactionCount === 2 || `transactionCount is ${String(listed?.transactionCount)}`,
        listed?.totalAmount.amount === '2.75' ||
          `totalAmount.amount is ${String(listed?.totalAmount.amount)}, expected 2.75`,
        listed?.dueDate === request.dueDate || `dueDate is ${String(listed?.dueDate)}`,
      ])
    },
  },
  {
    id: 'payrolls-invalid',
    title: 'Errors of a payroll name the transaction',
    rule: 'Invalid amounts and accounts, and an endToEndId that occurs twice, are 422 with the path of the transaction.',
    reference: 'API reference: initiatePayroll',
    run: async (context) => {
      const { consentId } = await ordering(context)
      await openPayroll(context)
      const request = await payrollRequest(context)
      const [first, second] = request.transactions
      if (first === undefined || second === undefined) {
        return
      }
      const send = (changes: object) =>
        context.call('initiatePayroll', {
          consentId,
          body: { ...request, transactions: [first, { ...second, ...changes }] },
        })
      const at = '.transactions[1]'
      requireNone([
        ...errorProblems(
          await send({ amount: { ...second.amount, amount: '0' } }),
          422,
          'InvalidAmount',
          `${at}.amount.amount`,
        ),
        ...errorProblems(await send({ account: { bban: '123' } }), 422, 'InvalidAccountNumber', `${at}.account.bban`),
        ...errorProblems(await send({ metadata: first.metadata }), 422, 'InvalidRequest', `${at}.metadata.endToEndId`),
      ])
    },
  },
  {
    id: 'payrolls-weekend',
    title: 'A payroll is due on a bank day',
    rule: 'A due date on a Saturday is 422 InvalidDueDate.',
    reference: 'API reference: initiatePayroll',
    run: async (context) => {
      const { consentId } = await ordering(context)
      await openPayroll(context)
      const request = await payrollRequest(context)
      const day = Temporal.PlainDate.from(request.dueDate)
      const dueDate = day.add({ days: SATURDAY - day.dayOfWeek }).toString()
      const answer = await context.call('initiatePayroll', { consentId, body: { ...request, dueDate } })
      requireError(answer, 422, 'InvalidDueDate', '.dueDate')
    },
  },
  {
    id: 'payrolls-signed',
    title: 'A signature approves a payroll',
    rule: 'The approval becomes ACCEPTED, and no transaction stays Unsigned.',
    run: async (context) => {
      requireSandbox(context)
      const payroll = await orderPayroll(context)
      const approvalId = await approve(context, payroll)
      await context.succeed('decideSandboxApproval', { params: { approvalId, decision: 'sign' }, body: {} })
      const { status } = await context.succeed('getPayrollApproval', {
        consentId: payroll.consentId,
        params: { approvalId },
      })
      require(status === 'ACCEPTED', `The approval is ${status}`)
      await requireEach(context, payroll, (found) => found !== 'Unsigned')
    },
  },
  {
    id: 'payrolls-approval-abandoned',
    title: 'An abandoned approval leaves a payroll unsigned',
    rule: 'DELETE returns 204, the approval becomes CANCELLED, and the transactions stay Unsigned.',
    reference: 'API reference: abandonPayrollApproval',
    run: async (context) => {
      const payroll = await orderPayroll(context)
      const { consentId } = payroll
      const params = { approvalId: await approve(context, payroll) }
      await context.succeed('abandonPayrollApproval', { consentId, params })
      const { status } = await context.succeed('getPayrollApproval', { consentId, params })
      require(status === 'CANCELLED', `The approval is ${status}`)
      const { transactions } = await statusOf(context, payroll)
      const isUnsigned = transactions.every(({ payrollStatus }) => payrollStatus === 'Unsigned')
      require(isUnsigned, 'A transaction is no longer Unsigned')
    },
  },
  {
    id: 'payrolls-cancelled',
    title: 'An unsigned payroll is cancelled',
    rule: 'The request is ACCEPTED, at once or after the user has signed it, and the transactions become Cancelled.',
    reference: 'API reference: cancelPayroll',
    run: async (context) => {
      requireSandbox(context)
      const payroll = await orderPayroll(context)
      const { consentId, payrollId } = payroll
      const params = { approvalId: await approve(context, payroll) }
      await context.succeed('abandonPayrollApproval', { consentId, params })
      const body = { payrollId, callbackUrl: context.target.callbackUrl }
      const { id, cancellationRequestStatus } = await context.succeed('cancelPayroll', { consentId, body })
      if (cancellationRequestStatus === 'AUTHORIZATION_REQUIRED') {
        await signCancellation(context, id)
      }
      const read = await context.succeed('getPayrollCancellation', { consentId, params: { id } })
      require(read.cancellationRequestStatus === 'ACCEPTED', `The request is ${read.cancellationRequestStatus}`)
      await requireEach(context, payroll, (found) => found === 'Cancelled')
    },
  },
  {
    id: 'payrolls-bulk',
    title: 'Several payrolls are ordered and signed at once',
    rule: 'The response has every payroll in the order of the request, and one approval with sca.redirect.url.',
    reference: 'API reference: initiatePayrollBulk',
    run: async (context) => {
      const { request, consentId } = await openPayroll(context)
      const { callbackUrl } = context.target
      const payrolls = await Promise.all(
        [0, 1].map(async () => ({ ...(await payrollRequest(context)), dueDate: request.dueDate })),
      )
      const answer = await context.call('initiatePayrollBulk', { consentId, body: { callbackUrl, payrolls } })
      if (answer.text.includes('UNSUPPORTED_PRODUCT_BY_BANK')) {
        throw new NotApplicable('The bank takes no bulks, or the partner has no agreement on them')
      }
      requireStatus(answer, 200)
      const wanted = payrolls.map(({ transactions }) => transactions.map(({ metadata }) => metadata.endToEndId).join())
      const found = [valueAt(answer.body, '.payrolls')].flat().map((payroll) =>
        [valueAt(payroll, '.transactions')]
          .flat()
          .map((transaction) => valueAt(transaction, '.endToEndId'))
          .join(),
      )
      require(found.join(';') === wanted.join(';'), 'The payrolls are others, or in another order')
      const url = String(valueAt(answer.body, '.sca.redirect.url'))
      require(/^https?:/.test(url), `sca.redirect.url is ${url}`)
      const params = { approvalId: String(valueAt(answer.body, '.id')) }
      await context.call('abandonPayrollApproval', { consentId, params })
    },
  },
])
