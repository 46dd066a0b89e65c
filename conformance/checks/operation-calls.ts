/** Says how operations are called whose responses no other check has received: those that change nothing. */
import { type OperationId, operations } from '../../contract/operations.ts'
import type { CheckContext } from '../check.ts'
import type { CallRequest } from '../http/request.ts'
import { acceptedConsent, mainPayer } from '../subjects/consents.ts'
import { today } from '../subjects/server-day.ts'
import { exampleOf } from './operations-by-need.ts'

type Call = (context: CheckContext) => Promise<CallRequest>

const plain: Call = async () => ({})
const example =
  (id: OperationId): Call =>
  async () =>
    exampleOf(operations[id])

const underConsent: Call = async (context) => ({ consentId: await acceptedConsent(context) })

/** A week up to the present day of the server. */
const account: Call = async (context) => {
  const consentId = await acceptedConsent(context)
  const { accounts } = await context.succeed('listAccounts', { consentId })
  return { consentId, params: { accountId: accounts[0]?.id ?? '' } }
}

const entries: Call = async (context) => {
  const day = (await today(context)).toString()
  return { ...(await account(context)), query: { fromDate: day, toDate: day } }
}

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
  listPayrolls: plain,
  listCurrencies: plain,
  getExchangeCalendar: plain,
  validateRemittance: example('validateRemittance'),
  listWebhookSubscriptions: plain,
  listWebhookEvents: plain,
  listRequests: plain,
  getSandboxClock: plain,
  openSandboxInbox: plain,
  listSandboxInboxDeliveries: plain,
}
