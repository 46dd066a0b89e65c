/** Lists every operation of the interface by its id. */
import { getAccountBalance, listAccounts } from './accounts.ts'
import { approvePayments, getPaymentApproval } from './approvals.ts'
import { getBank, listBanks } from './banks.ts'
import { listCompanies } from './companies.ts'
import { createConsent, getConsent, listConsents, revokeConsent } from './consents.ts'
import type { Operation } from './operation.ts'
import { getPayment, getPaymentStatus, initiateDomesticPayment, listPayments } from './payments.ts'
import { getSandboxClock, moveSandboxClock } from './sandbox.ts'
import { getKeys, getServerMetadata, issueToken } from './token.ts'

export const operations = {
  issueToken,
  getKeys,
  getServerMetadata,
  listBanks,
  getBank,
  listCompanies,
  createConsent,
  getConsent,
  listConsents,
  revokeConsent,
  listAccounts,
  getAccountBalance,
  initiateDomesticPayment,
  listPayments,
  getPayment,
  getPaymentStatus,
  approvePayments,
  getPaymentApproval,
  getSandboxClock,
  moveSandboxClock,
} as const satisfies { readonly [id in string]: Operation }

export type Operations = typeof operations
export type OperationId = keyof Operations
