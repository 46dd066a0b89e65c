/** The guide to onboarding: how a company is brought in, what may come of it, and which invented company shows what. */
import { html } from 'ghtml'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { type Guide, meanings, type Place } from './guide.ts'

const STATUSES = [
  ['Created', 'Nobody has opened the address.'],
  ['AwaitingCustomerAction', 'The company’s people are at work, or their signatures are awaited.'],
  ['ManualHandling', 'We look at it, and may ask the company for documents.'],
  ['Accepted', 'The company is onboarded, for payments and account information.'],
  ['Rejected', 'The company cannot be served; the reason says why.'],
  ['Cancelled', 'Called off by you or by the company, or another onboarding of it was accepted.'],
  ['Expired', 'Nobody touched it for 24 hours.'],
] as const

const REASONS = [
  ['CompanyNotFound', 'The registry knows no such company, or it is struck off.'],
  [
    'UnsupportedCompanyType',
    'Organisations of its form are not served, such as associations and housing cooperatives.',
  ],
  ['RiskEvaluation', 'Something about the company or its owners had to be looked at, or spoke against it.'],
  ['MissingDocuments', 'What the registry does not tell has to be shown by documents.'],
  ['SignatureExpired', 'Everything was written, and not everybody signed in time.'],
] as const

/** What the operations on onboarding do not say by themselves; where companies are invented, all of them. */
export function onboardingGuide({ companyRegistries }: Pick<Place, 'companyRegistries'>): Guide {
  const scripted = [...sample.companies, ...sample.absent].filter(
    ({ countryCode }) => companyRegistries[countryCode] === 'sample',
  )
  return {
    id: 'onboarding',
    title: 'Bringing a company in',
    body: `<p>Before a company pays, its own people onboard it: <a href="#startOnboarding">startOnboarding</a> gives you an address to
send them to. There they check what the company registry tells, say who owns the company, accept the terms and sign. They may
leave and come back by the same address; each touch gives them another 24 hours. Whoever has the address may write in the
company’s name, so hand it to nobody else.</p>
<p><strong>Who signs</strong> is what the registry says: one person alone, or several jointly. Those who are not at the screen get
links of their own, which show the company’s name and nothing else until they have identified.</p>
<p><strong>How it ended</strong> is told by <a href="#getOnboardingStatus">getOnboardingStatus</a>. The user comes back to your
<code>redirectUrl</code> with <code>status=success</code> or <code>cancelled</code>: that says that they are done, not what came of
it. An onboarding that was accepted cannot be changed; for a company that you act for already, another one is refused with
<code>COMPANY_ALREADY_EXISTS</code> and its <code>onboardingId</code>.</p>
${meanings(STATUSES)}
<p><code>statusReason</code> tells why, where there is a reason:</p>
${meanings(REASONS)}
${scripted.length === 0 ? '' : scripts(scripted)}`,
  }
}

type Scripted = Pick<(typeof sample.companies)[number], 'countryCode' | 'organisationNumber' | 'script'> & {
  readonly name?: string
}

function scripts(scripted: readonly Scripted[]): string {
  const groups = Map.groupBy(scripted, ({ script }) => outcomeOf(script))
  return `<p><strong>In the sandbox</strong> companies are invented. What an onboarding comes to is decided by the company, if its
people write what is registered, one of the combinations signs, and nobody intervenes. Each company that may be accepted has a user
who pays and signs, and an account, at each bank of its country; <a href="docs/sandbox">docs/sandbox</a> lists them:</p>
${[...groups].map(([outcome, companies]) => `<h3>${outcome}</h3><ul>${companies.map(scriptedCompany).join('')}</ul>`).join('')}
${withoutBrowser()}`
}

function outcomeOf({ status, statusReason }: Scripted['script']): string {
  return statusReason === null
    ? html`<code>${status}</code>`
    : html`<code>${status}</code>, <code>${statusReason}</code>`
}

function scriptedCompany({ countryCode, organisationNumber, name = 'Nobody', script }: Scripted): string {
  return html`<li>${name}, ${countryCode} <code>${organisationNumber}</code>. ${script.about}</li>`
}

/** Links to the steps of the sandbox that play a company's people. */
function withoutBrowser(): string {
  const all: readonly Operation[] = Object.values(operations)
  const steps = all.filter(({ path, sandboxOnly }) => sandboxOnly && path.startsWith('/api/sandbox/onboardings/'))
  const links = steps.map(({ id, summary }) => html`<li><a href="#${id}">${id}</a>: ${summary}</li>`)
  return links.length === 0
    ? ''
    : `<p><strong>Without a browser</strong> your own tests can play a company’s people:</p><ul>${links.join('')}</ul>`
}
