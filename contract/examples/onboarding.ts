/** Examples of the operations on onboarding and subscriptions. */

import type { Onboarding } from '../onboarding.ts'
import type { ExamplesById } from '../operations.ts'
import { callbackUrl, demoCompany, organizationNumber, readerCompany } from './demo-fixture.ts'

const onboardingId = '01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50'
const newCompanyNumber = '987654422'
const newCompanyName = 'Breiskog Entreprenør ASA'
const registeredCompanyNumber = '987654414'

const begun: Onboarding = {
  id: onboardingId,
  status: 'AwaitingCustomerAction',
  statusReason: null,
  country: 'NO',
  organizationNumber: newCompanyNumber,
  organizationName: newCompanyName,
  redirectUrl: callbackUrl,
  createdAt: '2026-11-23T09:00:00.000Z',
  updatedAt: '2026-11-23T09:04:12.000Z',
  expiresAt: '2026-11-24T09:04:12.000Z',
  tasks: [
    { type: 'CompanyDetails', status: 'Done' },
    { type: 'BeneficialOwners', status: 'Open' },
    { type: 'Signers', status: 'Open' },
    { type: 'Terms', status: 'Open' },
    { type: 'Summary', status: 'Open' },
    { type: 'Signatures', status: 'Open' },
  ],
}

export const onboardingExamples = {
  startOnboarding: [
    {
      summary: 'Onboarding a building contractor',
      body: { country: 'NO', organizationNumber: newCompanyNumber, redirectUrl: callbackUrl },
      answer: {
        id: onboardingId,
        url: `http://127.0.0.1:8080/onboarding/01a20700-0000-7000-8000-000000000001/${onboardingId}/u8XrT2cVb5nM1kQwE7yZpL4sD9fGhJ0aRtK3iOxN6Bc`,
      },
    },
  ],
  getOnboardingStatus: [{ summary: 'The company must act', params: { id: onboardingId }, answer: begun }],
  cancelOnboarding: [
    {
      summary: 'Cancelling an open onboarding',
      params: { id: onboardingId },
      answer: { ...begun, status: 'Cancelled', updatedAt: '2026-11-23T09:30:00.000Z', expiresAt: null },
    },
  ],
  listOnboardings: [{ summary: 'Open onboardings', query: { status: 'AwaitingCustomerAction' }, answer: [begun] }],
  stepSandboxOnboarding: [
    {
      summary: 'The company enters its data and confirms it',
      params: { onboardingId, step: 'fill' },
      body: {},
      answer: {
        ...begun,
        tasks: begun.tasks.map((task) => ({ ...task, status: task.type === 'Signatures' ? 'Open' : 'Done' })),
      },
    },
    {
      summary: 'Everybody signs',
      params: { onboardingId, step: 'sign' },
      body: {},
      answer: {
        ...begun,
        status: 'Accepted',
        expiresAt: null,
        tasks: begun.tasks.map((task) => ({ ...task, status: 'Done' })),
      },
    },
  ],
  registerCompany: [
    {
      summary: 'Registering a company for account information',
      body: { country: 'NO', organizationNumber: registeredCompanyNumber },
      answer: {
        country: 'NO',
        organizationNumber: registeredCompanyNumber,
        organizationName: 'Havblikk Hotell AS',
        services: ['AIS'],
        activeSubscription: true,
        registeredAt: '2026-11-23T09:00:00.000Z',
      },
    },
  ],
  activateSubscription: [
    {
      summary: 'Activating the subscription of the demo company',
      params: { countryCode: 'NO', organizationNumber },
      answer: demoCompany,
    },
  ],
  cancelSubscription: [
    {
      summary: 'Cancelling the subscription of a company',
      params: { countryCode: 'NO', organizationNumber: readerCompany.organizationNumber },
      answer: { ...demoCompany, ...readerCompany, activeSubscription: false },
    },
  ],
} satisfies Partial<ExamplesById>
