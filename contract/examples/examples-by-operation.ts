/** Lists the examples of every operation by the operation's id. */
import type { Examples } from '../operation.ts'
import type { OperationId, Operations } from '../operations.ts'
import * as accountEntries from './accounts.ts'
import * as accounts from './accounts.ts'
import * as cancellations from './cancellations.ts'
import * as consents from './consents.ts'
import * as countries from './countries.ts'
import * as crossBorder from './cross-border.ts'
import * as fx from './fx.ts'
import * as onboarding from './onboarding.ts'
import * as payments from './payments.ts'
import * as payrolls from './payrolls.ts'
import * as requestLog from './request-log.ts'
import * as sandboxSteps from './sandbox.ts'
import * as sandbox from './sandbox.ts'
import * as sandboxExchange from './sandbox.ts'
import * as sandboxInbox from './sandbox.ts'
import * as token from './token.ts'
import * as webhooks from './webhooks.ts'

export const examplesByOperation: { readonly [Id in OperationId]: Examples<Operations[Id]> } = {
  issueToken: token.issueTokenExamples,
  getKeys: token.getKeysExamples,
  getServerMetadata: token.getServerMetadataExamples,
  listBanks: accounts.listBanksExamples,
  getBank: accounts.getBankExamples,
  listCountries: countries.listCountriesExamples,
  getPaymentRequirement: countries.getPaymentRequirementExamples,
  listRegulatoryCodes: countries.listRegulatoryCodesExamples,
  listCompanies: accounts.listCompaniesExamples,
  activateSubscription: onboarding.activateSubscriptionExamples,
  cancelSubscription: onboarding.cancelSubscriptionExamples,
  startOnboarding: onboarding.startOnboardingExamples,
  listOnboardings: onboarding.listOnboardingsExamples,
  getOnboardingStatus: onboarding.getOnboardingStatusExamples,
  cancelOnboarding: onboarding.cancelOnboardingExamples,
  registerCompany: onboarding.registerCompanyExamples,
  createConsent: consents.createConsentExamples,
  getConsent: consents.getConsentExamples,
  listConsents: consents.listConsentsExamples,
  revokeConsent: consents.revokeConsentExamples,
  listAccounts: accounts.listAccountsExamples,
  getAccountBalance: accounts.getAccountBalanceExamples,
  listAccountEntries: accountEntries.listAccountEntriesExamples,
  listExtendedAccountEntries: accountEntries.listExtendedAccountEntriesExamples,
  getAccountEntryDetails: accountEntries.getAccountEntryDetailsExamples,
  initiateDomesticPayment: payments.initiateDomesticPaymentExamples,
  initiateCrossBorderPayment: crossBorder.initiateCrossBorderPaymentExamples,
  listPayments: payments.listPaymentsExamples,
  getPayment: payments.getPaymentExamples,
  getPaymentStatus: payments.getPaymentStatusExamples,
  validateRemittance: payments.validateRemittanceExamples,
  quoteExchange: fx.quoteExchangeExamples,
  validateExchange: fx.validateExchangeExamples,
  listCurrencies: fx.listCurrenciesExamples,
  getExchangeCalendar: fx.getExchangeCalendarExamples,
  approvePayments: payments.approvePaymentsExamples,
  getPaymentApproval: payments.getPaymentApprovalExamples,
  abandonPaymentApproval: payments.abandonPaymentApprovalExamples,
  cancelPayment: cancellations.cancelPaymentExamples,
  getPaymentCancellation: cancellations.getPaymentCancellationExamples,
  abandonPaymentCancellation: cancellations.abandonPaymentCancellationExamples,
  initiatePayroll: payrolls.initiatePayrollExamples,
  initiatePayrollBulk: payrolls.initiatePayrollBulkExamples,
  listPayrolls: payrolls.listPayrollsExamples,
  getPayrollStatus: payrolls.getPayrollStatusExamples,
  approvePayrolls: payrolls.approvePayrollsExamples,
  getPayrollApproval: payrolls.getPayrollApprovalExamples,
  abandonPayrollApproval: payrolls.abandonPayrollApprovalExamples,
  cancelPayroll: payrolls.cancelPayrollExamples,
  getPayrollCancellation: payrolls.getPayrollCancellationExamples,
  abandonPayrollCancellation: payrolls.abandonPayrollCancellationExamples,
  createWebhookSubscription: webhooks.createWebhookSubscriptionExamples,
  listWebhookSubscriptions: webhooks.listWebhookSubscriptionsExamples,
  getWebhookSubscription: webhooks.getWebhookSubscriptionExamples,
  updateWebhookSubscription: webhooks.updateWebhookSubscriptionExamples,
  disableWebhookSubscription: webhooks.disableWebhookSubscriptionExamples,
  pauseWebhookSubscription: webhooks.pauseWebhookSubscriptionExamples,
  resumeWebhookSubscription: webhooks.resumeWebhookSubscriptionExamples,
  rotateWebhookBearerToken: webhooks.rotateWebhookBearerTokenExamples,
  rotateWebhookSigningSecret: webhooks.rotateWebhookSigningSecretExamples,
  testWebhookSubscription: webhooks.testWebhookSubscriptionExamples,
  listWebhookDeliveries: webhooks.listWebhookDeliveriesExamples,
  getWebhookDelivery: webhooks.getWebhookDeliveryExamples,
  retryWebhookDelivery: webhooks.retryWebhookDeliveryExamples,
  listWebhookEvents: webhooks.listWebhookEventsExamples,
  replayWebhookEvents: webhooks.replayWebhookEventsExamples,
  listRequests: requestLog.listRequestsExamples,
  getRequest: requestLog.getRequestExamples,
  openSandboxInbox: sandboxInbox.openSandboxInboxExamples,
  listSandboxInboxDeliveries: sandboxInbox.listSandboxInboxDeliveriesExamples,
  getSandboxClock: sandbox.getSandboxClockExamples,
  moveSandboxClock: sandbox.moveSandboxClockExamples,
  decideSandboxApproval: sandboxSteps.decideSandboxApprovalExamples,
  decideSandboxConsent: sandboxSteps.decideSandboxConsentExamples,
  decideSandboxCancellation: sandboxSteps.decideSandboxCancellationExamples,
  stepSandboxOnboarding: onboarding.stepSandboxOnboardingExamples,
  stepSandboxPayment: sandboxSteps.stepSandboxPaymentExamples,
  setSandboxPaymentStatus: sandboxSteps.setSandboxPaymentStatusExamples,
  endSandboxConsent: sandboxSteps.endSandboxConsentExamples,
  addSandboxEntry: sandboxSteps.addSandboxEntryExamples,
  disturbSandboxBank: sandboxSteps.disturbSandboxBankExamples,
  disturbSandboxExchange: sandboxExchange.disturbSandboxExchangeExamples,
  stepSandboxPayout: sandboxExchange.stepSandboxPayoutExamples,
  addSandboxArrival: sandboxExchange.addSandboxArrivalExamples,
  healSandboxBanks: sandboxSteps.healSandboxBanksExamples,
}
