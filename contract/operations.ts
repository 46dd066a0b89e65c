/** Lists every operation of the API by its id. */
import { getAccountEntryDetails, listAccountEntries, listExtendedAccountEntries } from './account-entries.ts'
import { getAccountBalance, listAccounts } from './accounts.ts'
import { abandonPaymentApproval, approvePayments, getPaymentApproval } from './approvals.ts'
import { getBank, listBanks } from './banks.ts'
import { abandonPaymentCancellation, cancelPayment, getPaymentCancellation } from './cancellations.ts'
import { activateSubscription, cancelSubscription, listCompanies } from './companies.ts'
import { createConsent, getConsent, listConsents, revokeConsent } from './consents.ts'
import { getPaymentRequirement, listCountries, listRegulatoryCodes } from './countries.ts'
import { getExchangeCalendar, listCurrencies, quoteExchange, validateExchange } from './fx/fx-operations.ts'
import {
  cancelOnboarding,
  getOnboardingStatus,
  listOnboardings,
  registerCompany,
  startOnboarding,
} from './onboarding.ts'
import type { Examples, Operation } from './operation.ts'
import { initiateCrossBorderPayment } from './payments/cross-border-operations.ts'
import { getPayment, getPaymentStatus, initiateDomesticPayment, listPayments } from './payments/payment-operations.ts'
import { validateRemittance } from './payments/remittance-validation.ts'
import {
  abandonPayrollApproval,
  abandonPayrollCancellation,
  approvePayrolls,
  cancelPayroll,
  getPayrollApproval,
  getPayrollCancellation,
} from './payrolls/payroll-approval-operations.ts'
import { getPayrollStatus, initiatePayroll, initiatePayrollBulk, listPayrolls } from './payrolls/payroll-operations.ts'
import { getRequest, listRequests } from './request-log.ts'
import {
  addSandboxEntry,
  decideSandboxApproval,
  decideSandboxCancellation,
  decideSandboxConsent,
  endSandboxConsent,
  setSandboxPaymentStatus,
  stepSandboxPayment,
} from './sandbox/sandbox-bank.ts'
import { getSandboxClock, moveSandboxClock } from './sandbox/sandbox-clock.ts'
import { disturbSandboxBank, healSandboxBanks } from './sandbox/sandbox-faults.ts'
import { addSandboxArrival, disturbSandboxExchange, stepSandboxPayout } from './sandbox/sandbox-fx.ts'
import { listSandboxInboxDeliveries, openSandboxInbox } from './sandbox/sandbox-inbox.ts'
import { stepSandboxOnboarding } from './sandbox/sandbox-onboarding.ts'
import { getKeys, getServerMetadata, issueToken } from './token.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEvents,
  retryWebhookDelivery,
} from './webhooks/webhook-deliveries.ts'
import {
  pauseWebhookSubscription,
  replayWebhookEvents,
  resumeWebhookSubscription,
} from './webhooks/webhook-pauses-and-replay.ts'
import {
  createWebhookSubscription,
  disableWebhookSubscription,
  getWebhookSubscription,
  listWebhookSubscriptions,
  rotateWebhookBearerToken,
  rotateWebhookSigningSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
} from './webhooks/webhook-subscriptions.ts'

export const operations = {
  issueToken,
  getKeys,
  getServerMetadata,
  listBanks,
  getBank,
  listCountries,
  getPaymentRequirement,
  listRegulatoryCodes,
  listCompanies,
  activateSubscription,
  cancelSubscription,
  startOnboarding,
  listOnboardings,
  getOnboardingStatus,
  cancelOnboarding,
  registerCompany,
  createConsent,
  getConsent,
  listConsents,
  revokeConsent,
  listAccounts,
  getAccountBalance,
  listAccountEntries,
  listExtendedAccountEntries,
  getAccountEntryDetails,
  initiateDomesticPayment,
  initiateCrossBorderPayment,
  listPayments,
  getPayment,
  getPaymentStatus,
  validateRemittance,
  quoteExchange,
  validateExchange,
  listCurrencies,
  getExchangeCalendar,
  approvePayments,
  getPaymentApproval,
  abandonPaymentApproval,
  cancelPayment,
  getPaymentCancellation,
  abandonPaymentCancellation,
  initiatePayroll,
  initiatePayrollBulk,
  listPayrolls,
  getPayrollStatus,
  approvePayrolls,
  getPayrollApproval,
  abandonPayrollApproval,
  cancelPayroll,
  getPayrollCancellation,
  abandonPayrollCancellation,
  createWebhookSubscription,
  listWebhookSubscriptions,
  getWebhookSubscription,
  updateWebhookSubscription,
  disableWebhookSubscription,
  pauseWebhookSubscription,
  resumeWebhookSubscription,
  rotateWebhookBearerToken,
  rotateWebhookSigningSecret,
  testWebhookSubscription,
  replayWebhookEvents,
  listWebhookDeliveries,
  getWebhookDelivery,
  retryWebhookDelivery,
  listWebhookEvents,
  listRequests,
  getRequest,
  getSandboxClock,
  moveSandboxClock,
  decideSandboxApproval,
  decideSandboxConsent,
  decideSandboxCancellation,
  stepSandboxOnboarding,
  stepSandboxPayment,
  setSandboxPaymentStatus,
  endSandboxConsent,
  addSandboxEntry,
  openSandboxInbox,
  listSandboxInboxDeliveries,
  disturbSandboxBank,
  disturbSandboxExchange,
  stepSandboxPayout,
  addSandboxArrival,
  healSandboxBanks,
} as const satisfies { readonly [id in string]: Operation }

export type Operations = typeof operations
export type OperationId = keyof Operations

/** The examples of every operation. */
export type ExamplesById = { readonly [Id in OperationId]: Examples<Operations[Id]> }
