/** Checks onboardings: started, shown, cancelled, and of a company that is onboarded. */
import { startOnboarding } from '../../contract/onboarding.ts'
import { type Check, type CheckContext, documentedIn, NotApplicable } from '../check.ts'
import { require, requireError, requireNone } from '../expectations.ts'
import { mainPayer, payers } from '../subjects/consents.ts'
import { requireSandbox } from '../subjects/payments.ts'
import { exampleOf } from './operations-by-need.ts'

/** An onboarding of the company of the documentation, which a sandbox knows. */
async function started(context: CheckContext) {
  requireSandbox(context)
  const { body } = exampleOf(startOnboarding)
  const answer = await context.call('startOnboarding', { body })
  if (answer.status === 409) {
    throw new NotApplicable('The company of the documentation’s example is onboarded already')
  }
  require(answer.status === 200, `The onboarding is answered with ${answer.status}: ${answer.text.slice(0, 300)}`)
  const { id, url } = Object(answer.body)
  return { id: String(id), url: String(url), requested: Object(body) }
}

export const ONBOARDING_CHECKS: readonly Check[] = documentedIn('Guide: onboarding', [
  {
    id: 'onboarding-started',
    title: 'An onboarding is started and cancelled',
    rule: 'The response has a link for the user; the status is Created with the company of the request, and Cancelled after a cancellation, which may be repeated.',
    run: async (context) => {
      const { id, url, requested } = await started(context)
      const params = { id }
      const created = await context.succeed('getOnboardingStatus', { params })
      const first = await context.succeed('cancelOnboarding', { params })
      const second = await context.succeed('cancelOnboarding', { params })
      const listed = await context.succeed('listOnboardings', { query: { status: 'Cancelled' } })
      requireNone([
        /^https?:/.test(url) || `url is ${url}`,
        created.status === 'Created' || `It is ${created.status}`,
        created.organizationNumber === requested.organizationNumber || 'It is of another company',
        (first.status === 'Cancelled' && second.status === 'Cancelled') ||
          `It is ${first.status}, then ${second.status}`,
        listed.some((onboarding) => onboarding.id === id) || 'The list of cancelled ones lacks it',
        listed.every(({ status }) => status === 'Cancelled') || 'The filter by status is ignored',
      ])
    },
  },
  {
    id: 'onboarding-simulated',
    title: 'The steps of an onboarding change its status',
    rule: 'When the company opens the link and confirms its data, the status is AwaitingCustomerAction.',
    run: async (context) => {
      const { id } = await started(context)
      await context.succeed('stepSandboxOnboarding', { params: { onboardingId: id, step: 'fill' }, body: {} })
      const { status, organizationName } = await context.succeed('getOnboardingStatus', { params: { id } })
      await context.succeed('cancelOnboarding', { params: { id } })
      require(status === 'AwaitingCustomerAction', `It is ${status}`)
      require(organizationName !== null, 'organizationName is null after the link was opened')
    },
  },
  {
    id: 'onboarding-existing-company',
    title: 'An onboarded company is not onboarded again',
    rule: 'The response is 409 COMPANY_ALREADY_EXISTS with additionalInformation.onboardingId.',
    reference: 'Error catalogue: COMPANY_ALREADY_EXISTS',
    run: async (context) => {
      const { company } = await mainPayer(context)
      const { country, organizationNumber } = company
      for (const id of ['startOnboarding', 'registerCompany'] as const) {
        const answer = await context.call(id, { body: { country, organizationNumber } })
        requireError(answer, 409, 'COMPANY_ALREADY_EXISTS')
        require(Object.hasOwn(
          Object(Object(answer.body).additionalInformation),
          'onboardingId',
        ), 'additionalInformation.onboardingId is missing')
      }
    },
  },
  {
    id: 'companies-subscription',
    title: 'The subscription of a company is cancelled and activated',
    rule: 'Both return the company, and repeating them changes nothing.',
    reference: 'API reference: cancelSubscription, activateSubscription',
    run: async (context) => {
      requireSandbox(context)
      const main = await mainPayer(context)
      const other = [...(await payers(context)).values()].find(
        ({ company }) => company.country !== main.company.country,
      )
      if (other === undefined) {
        throw new NotApplicable('It needs a second company, whose subscription it cancels for a moment')
      }
      const params = { countryCode: other.company.country, organizationNumber: other.company.organizationNumber }
      context.cleanUp(() => context.call('activateSubscription', { params }))
      const cancelled = await context.succeed('cancelSubscription', { params })
      const again = await context.succeed('cancelSubscription', { params })
      const activated = await context.succeed('activateSubscription', { params })
      require(!(cancelled.activeSubscription || again.activeSubscription), 'activeSubscription is true')
      require(activated.activeSubscription, 'activeSubscription is false')
    },
  },
])
