/** Says how operations are called whose responses no other check has received: those that change nothing. */
import { type OperationId, operations } from '../../contract/operations.ts'
import type { CheckContext } from '../check.ts'
import type { CallRequest } from '../http/request.ts'
import { acceptedConsent, mainPayer } from '../subjects/consents.ts'
import { domesticOrder, ordering, unsignedPayment } from '../subjects/payments.ts'
import { today } from '../subjects/server-day.ts'
import { exampleOf } from './operations-by-need.ts'

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

export const OPERATION_CALLS: { readonly [Id in OperationId]?: Call } = {
  listBanks: async (context) => ({ params: { countryCode: (await mainPayer(context)).bank.countryCode } }),
  getBank: async (context) => {
    const { countryCode, bic } = (await mainPayer(context)).bank
    return { params: { countryCode, bic } }
  },
  getKeys: plain,
  getServerMetadata: plain,
  listCountries: plain,
  getPaymentRequirement: example('getPaymentRequirement'),
  listRegulatoryCodes: example('listRegulatoryCodes'),
  listCompanies: plain,
  listOnboardings: plain,
  listConsents: plain,
  getConsent: underConsent,
  listAccounts: underConsent,
  getAccountBalance: account,
  listAccountEntries: entries,
  listExtendedAccountEntries: entries,
  listPayments: plain,
  initiateDomesticPayment: async (context) => {
    const basis = await ordering(context)
    return { consentId: basis.consentId, body: await domesticOrder(context, basis) }
  },
  getPayment: payment,
  getPaymentStatus: payment,
  listPayrolls: plain,
  listCurrencies: plain,
  getExchangeCalendar: plain,
  validateRemittance: example('validateRemittance'),
  listWebhookSubscriptions: plain,
  listWebhookEvents: plain,
  listRequests: plain,
  getRequest: async (context) => {
    const { requests } = await context.succeed('listRequests', { query: { limit: 1 } })
    return { params: { svcRequestId: requests[0]?.svcRequestId ?? '' } }
  },
  getSandboxClock: plain,
  openSandboxInbox: plain,
  listSandboxInboxDeliveries: plain,
}
