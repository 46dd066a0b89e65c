/** Examples of the sandbox operations on users and banks. */
import type { Examples } from '../operation-example.ts'
import type {
  addSandboxEntry,
  decideSandboxApproval,
  decideSandboxCancellation,
  decideSandboxConsent,
  endSandboxConsent,
  setSandboxPaymentStatus,
  stepSandboxPayment,
} from '../sandbox/sandbox-bank.ts'
import type { disturbSandboxBank, healSandboxBanks } from '../sandbox/sandbox-faults.ts'
import {
  approvalId,
  callbackUrl,
  cancellationId,
  consentId,
  paymentId,
  payrollConsentId,
  readerBic,
  userId,
} from './demo-fixture.ts'

const SUCCESS = { outcome: 'success', callback: `${callbackUrl}?status=success` } as const

export const decideSandboxApprovalExamples: Examples<typeof decideSandboxApproval> = [
  { summary: 'The user signs', params: { approvalId, decision: 'sign' }, body: {}, answer: SUCCESS },
  {
    summary: 'The user rejects',
    params: { approvalId, decision: 'reject' },
    body: {},
    answer: { outcome: 'rejected', callback: `${callbackUrl}?status=rejected` },
  },
]

export const decideSandboxConsentExamples: Examples<typeof decideSandboxConsent> = [
  { summary: 'The user accepts', params: { consentId, decision: 'sign' }, body: { userId }, answer: SUCCESS },
  {
    summary: 'The user accepts at the bank that offers payrolls',
    params: { consentId: payrollConsentId, decision: 'sign' },
    body: { userId },
    answer: SUCCESS,
  },
]

export const decideSandboxCancellationExamples: Examples<typeof decideSandboxCancellation> = [
  {
    summary: 'The user signs the cancellation',
    params: { cancellationId, decision: 'sign' },
    body: {},
    answer: SUCCESS,
  },
]

export const stepSandboxPaymentExamples: Examples<typeof stepSandboxPayment> = [
  {
    summary: 'Signed in the netbank',
    params: { paymentId, step: 'sign' },
    body: {},
    answer: { status: 'InProgress', timestamp: '2026-11-23T09:05:10.000Z' },
  },
]

export const setSandboxPaymentStatusExamples: Examples<typeof setSandboxPaymentStatus> = [
  {
    summary: 'The bank rejects it later',
    params: { paymentId },
    body: { transactionStatus: 'RJCT', reason: 'daily-limit' },
    answer: { status: 'Rejected', timestamp: '2026-11-23T09:05:10.000Z' },
  },
]

export const endSandboxConsentExamples: Examples<typeof endSandboxConsent> = [
  { summary: 'Revoked by its user', params: { consentId }, body: { how: 'revoked-by-user' }, answer: undefined },
]

export const addSandboxEntryExamples: Examples<typeof addSandboxEntry> = [
  {
    summary: 'An incoming payment',
    params: { bban: '80501100017' },
    body: { amount: '2500.00', counterparty: 'Kunde AS', message: 'Faktura 7' },
    answer: { bban: '80501100017', bookedOn: '2026-11-23' },
  },
]

export const disturbSandboxBankExamples: Examples<typeof disturbSandboxBank> = [
  {
    summary: 'The next order is accepted, and its response is lost',
    params: { bic: readerBic },
    body: { effect: 'lose-next-answer' },
    answer: undefined,
  },
]

export const healSandboxBanksExamples: Examples<typeof healSandboxBanks> = [
  { summary: 'All faults are cleared', answer: undefined },
]
