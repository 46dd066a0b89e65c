/** Checks the responses of every operation against the contract: those of the whole run, and of a call that changes nothing. */
import type { Operation } from '../../contract/operation.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import { type Check, type CheckContext, NotApplicable } from '../check.ts'
import { requireNone } from '../expectations.ts'
import type { CallRequest } from '../http/exchange.ts'
import { acceptedConsent, mainPayer } from '../subjects/consents.ts'
import { domesticOrder, ordering, unsignedPayment } from '../subjects/payments.ts'
import { today } from '../subjects/subject.ts'
import { answerProblems, isSuccess } from '../validation/validate-answer.ts'
import { exampleOf } from './operations-by-need.ts'

const NO_SUCCESS = 'No check could call it successfully here; its errors are as documented'
const FOR_OTHER_USERS = 'Not called, because other users of the sandbox would notice; its errors are as documented'
/** Why an operation is never called successfully. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  registerCompany: 'Not called, because it registers a company for good; its errors are as documented',
  disturbSandboxBank: FOR_OTHER_USERS,
  disturbSandboxExchange: FOR_OTHER_USERS,
  healSandboxBanks: FOR_OTHER_USERS,
  addSandboxArrival: FOR_OTHER_USERS,
  stepSandboxPayout: 'Not called, because it needs a funded exchange; its errors are as documented',
  abandonPayrollCancellation: 'Not called, because it needs a signed payroll; its errors are as documented',
}

const all: readonly Operation[] = Object.values(operations)

export const SCHEMA_CHECKS: readonly Check[] = all.map((operation) => ({
  id: `schemas-${operation.id}`,
  title: `${operation.method} ${operation.path}`,
  rule: 'Every response, errors included, has a documented status, a body that matches its schema, and documented codes.',
  reference: `API reference: ${operation.id}`,
  run: async (context) => {
    if (operation.sandboxOnly && !context.target.isSandbox) {
      throw new NotApplicable('The operation exists in a sandbox only')
    }
    const answersOf = () => context.answers.filter((answer) => answer.operation?.id === operation.id)
    if (!answersOf().some(isSuccess)) {
      await callOnce(context, operation)
    }
    // The same fault in many responses is listed once.
    const found = new Map(
      answersOf()
        .flatMap(answerProblems)
        .map((problem) => [withoutIds(problem), problem]),
    )
    requireNone([...found.values()])
    if (!answersOf().some(isSuccess)) {
      throw new NotApplicable(NOT_CALLED[operation.id] ?? NO_SUCCESS)
    }
  },
}))

async function callOnce(context: CheckContext, operation: Operation): Promise<void> {
  const id = operation.id as OperationId
  const call = OPERATION_CALLS[id] ?? (needsNothing(operation) ? plain : undefined)
  if (call !== undefined) {
    await context.call(id, await call(context))
  }
}

function needsNothing({ method, path, admits }: Operation): boolean {
  return method === 'GET' && !path.includes('{') && admits !== 'consent'
}

function withoutIds(problem: string): string {
  return problem.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.Z+]+/gi, '…')
}

type Call = (context: CheckContext) => Promise<CallRequest>

const plain: Call = async () => ({})
const example =
  (id: OperationId): Call =>
  async () =>
    exampleOf(operations[id])

const underConsent: Call = async (context) => ({ consentId: await acceptedConsent(context) })

const account: Call = async (context) => {
  const consentId = await acceptedConsent(context)
  const { accounts } = await context.succeed('listAccounts', { consentId })
  return { consentId, params: { accountId: accounts[0]?.id ?? '' } }
}

const entries: Call = async (context) => {
  const day = (await today(context)).toString()
  return { ...(await account(context)), query: { fromDate: day, toDate: day } }
}

const payment: Call = async (context) => ({
  params: { paymentId: (await unsignedPayment(context)).initiated.paymentId },
})

/** Of operations that need something. */
const OPERATION_CALLS: { readonly [Id in OperationId]?: Call } = {
  listBanks: async (context) => ({ params: { countryCode: (await mainPayer(context)).bank.countryCode } }),
  getBank: async (context) => {
    const { countryCode, bic } = (await mainPayer(context)).bank
    return { params: { countryCode, bic } }
  },
  getPaymentRequirement: example('getPaymentRequirement'),
  listRegulatoryCodes: example('listRegulatoryCodes'),
  getConsent: underConsent,
  listAccounts: underConsent,
  getAccountBalance: account,
  listAccountEntries: entries,
  listExtendedAccountEntries: entries,
  initiateDomesticPayment: async (context) => {
    const basis = await ordering(context)
    return { consentId: basis.consentId, body: await domesticOrder(context, basis) }
  },
  getPayment: payment,
  getPaymentStatus: payment,
  validateRemittance: example('validateRemittance'),
  getRequest: async (context) => {
    const { requests } = await context.succeed('listRequests', { query: { limit: 1 } })
    return { params: { svcRequestId: requests[0]?.svcRequestId ?? '' } }
  },
  openSandboxInbox: plain,
}
